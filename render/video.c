// Video through libav: H.264 in MP4 or VP9 in WebM, by the extension; a temporary name and a rename.
#define _POSIX_C_SOURCE 200809L
#include <pliant/render.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pli_video {
    char *path, *temporary;
    AVFormatContext *file;
    AVCodecContext *encoder;
    AVStream *stream;
    struct SwsContext *scaler;
    AVFrame *frame;
    AVPacket *packet;
    int32_t width, height;
    int64_t count;
};

// The kinds, by extension.
static const struct {
    const char *extension, *format, *encoder, *package;
} kinds[] = {
    {".mp4", "mp4", "libx264", "libavcodec-extra or libavcodec59 with x264"},
    {".webm", "webm", "libvpx-vp9", "libavcodec59 with libvpx"},
};

static void release(pli_video *v)
{
    if (v->file && v->file->pb)
        avio_closep(&v->file->pb);
    avformat_free_context(v->file);
    avcodec_free_context(&v->encoder);
    sws_freeContext(v->scaler);
    av_frame_free(&v->frame);
    av_packet_free(&v->packet);
    if (v->temporary)
        unlink(v->temporary);
    free(v->temporary);
    free(v->path);
    free(v);
}

static pli_status fail_video(pli_error *error, const pli_video *v, const char *what, int code)
{
    char text[100] = "";
    av_strerror(code, text, sizeof text);
    return pli_fail(error, PLI_STATUS_FILE, "cannot %s '%s': %s", what, v->path, text);
}

static int kind_of(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t ending = strlen(kinds[i].extension);
        if (length > ending && strcmp(path + length - ending, kinds[i].extension) == 0)
            return (int)i;
    }
    return -1;
}

static pli_status open_encoder(pli_video *v, int kind, double frames_per_second, pli_error *error)
{
    const AVCodec *codec = avcodec_find_encoder_by_name(kinds[kind].encoder);
    if (!codec)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED, "the encoder %s is not there; install %s", kinds[kind].encoder,
                        kinds[kind].package);
    v->encoder = avcodec_alloc_context3(codec);
    v->stream = avformat_new_stream(v->file, NULL);
    if (!v->encoder || !v->stream)
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    AVRational rate = av_d2q(frames_per_second, 100000);
    // Colour is stored at half resolution: sizes must be even.
    v->encoder->width = (v->width + 1) / 2 * 2;
    v->encoder->height = (v->height + 1) / 2 * 2;
    v->encoder->pix_fmt = AV_PIX_FMT_YUV420P;
    v->encoder->time_base = av_inv_q(rate);
    v->encoder->framerate = rate;
    v->encoder->gop_size = 30;
    v->encoder->thread_count = 2;
    if (v->file->oformat->flags & AVFMT_GLOBALHEADER)
        v->encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    av_opt_set(v->encoder->priv_data, "crf", kind == 0 ? "20" : "31", 0);
    av_opt_set(v->encoder->priv_data, "preset", "fast", 0);
    av_opt_set(v->encoder->priv_data, "deadline", "realtime", 0);
    av_opt_set(v->encoder->priv_data, "cpu-used", "6", 0);
    int code = avcodec_open2(v->encoder, codec, NULL);
    if (code < 0)
        return fail_video(error, v, "open the encoder for", code);
    avcodec_parameters_from_context(v->stream->codecpar, v->encoder);
    v->stream->time_base = v->encoder->time_base;
    return pli_succeed(error);
}

static pli_status open_frames(pli_video *v, pli_error *error)
{
    v->frame = av_frame_alloc();
    v->packet = av_packet_alloc();
    v->scaler = sws_getContext(v->width, v->height, AV_PIX_FMT_RGBA, v->encoder->width, v->encoder->height,
                               AV_PIX_FMT_YUV420P, SWS_BILINEAR, NULL, NULL, NULL);
    if (!v->frame || !v->packet || !v->scaler)
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    v->frame->format = AV_PIX_FMT_YUV420P;
    v->frame->width = v->encoder->width;
    v->frame->height = v->encoder->height;
    int code = av_frame_get_buffer(v->frame, 0);
    if (code >= 0)
        code = avio_open(&v->file->pb, v->temporary, AVIO_FLAG_WRITE);
    AVDictionary *options = NULL;
    av_dict_set(&options, "movflags", "+faststart", 0);
    if (code >= 0)
        code = avformat_write_header(v->file, &options);
    av_dict_free(&options);
    return code >= 0 ? pli_succeed(error) : fail_video(error, v, "write", code);
}

pli_status pli_video_open(const char *path, int32_t width, int32_t height, double frames_per_second, pli_video **video,
                          pli_error *error)
{
    int kind = kind_of(path);
    *video = NULL;
    if (kind < 0)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED, "'%s': a video ends in .mp4 or .webm", path);
    if (width < 16 || width > 8192 || height < 16 || height > 8192 || !(frames_per_second > 0.0) ||
        frames_per_second > 100000.0)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "a video of %d x %d at %g frames a second is asked "
                        "for; sizes go from 16 to 8192",
                        (int)width, (int)height, frames_per_second);
    pli_video *v = calloc(1, sizeof *v);
    if (!v)
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    size_t length = strlen(path) + 40;
    v->path = strdup(path);
    v->temporary = malloc(length);
    v->width = width;
    v->height = height;
    av_log_set_level(AV_LOG_ERROR);
    pli_status status = PLI_STATUS_OUT_OF_MEMORY;
    if (v->path && v->temporary) {
        snprintf(v->temporary, length, "%s.%ld.tmp", path, (long)getpid());
        avformat_alloc_output_context2(&v->file, NULL, kinds[kind].format, v->temporary);
    }
    status = v->file ? open_encoder(v, kind, frames_per_second, error)
                     : pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    if (status == PLI_STATUS_OK)
        status = open_frames(v, error);
    if (status != PLI_STATUS_OK) {
        release(v);
        return status;
    }
    *video = v;
    return status;
}

// Sends a frame, or null for the end, and writes what comes out.
static int encode(pli_video *v, const AVFrame *frame)
{
    int code = avcodec_send_frame(v->encoder, frame);
    while (code >= 0) {
        code = avcodec_receive_packet(v->encoder, v->packet);
        if (code == AVERROR(EAGAIN) || code == AVERROR_EOF)
            return 0;
        if (code < 0)
            break;
        av_packet_rescale_ts(v->packet, v->encoder->time_base, v->stream->time_base);
        v->packet->stream_index = v->stream->index;
        v->packet->duration = av_rescale_q(1, v->encoder->time_base, v->stream->time_base);
        code = av_interleaved_write_frame(v->file, v->packet);
    }
    return code;
}

pli_status pli_video_add(pli_video *v, const uint8_t *pixels, pli_error *error)
{
    const uint8_t *rows[1] = {pixels};
    const int strides[1] = {4 * v->width};
    int code = av_frame_make_writable(v->frame);
    if (code >= 0) {
        sws_scale(v->scaler, rows, strides, 0, v->height, v->frame->data, v->frame->linesize);
        v->frame->pts = v->count++;
        code = encode(v, v->frame);
    }
    return code >= 0 ? pli_succeed(error) : fail_video(error, v, "write", code);
}

pli_status pli_video_close(pli_video *v, pli_error *error)
{
    if (!v)
        return pli_succeed(error);
    int code = 0;
    if (v->count > 0) {
        code = encode(v, NULL);
        if (code >= 0)
            code = av_write_trailer(v->file);
        int closed = avio_closep(&v->file->pb);
        code = code < 0 ? code : closed;
        if (code >= 0 && rename(v->temporary, v->path) != 0)
            code = AVERROR(EIO);
    }
    pli_status status = code >= 0 ? pli_succeed(error) : fail_video(error, v, "write", code);
    release(v);
    return status;
}
