// Writes videos through libav: H.264 in MP4, VP9 in WebM, or an animated WebP picture, by the extension.
#define _POSIX_C_SOURCE 200809L
#include "film/video_plugin.h"
#include "support/publish.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct writer {
    pli_video head;
    char *path, *temporary;
    AVFormatContext *file;
    AVCodecContext *encoder;
    AVStream *stream;
    struct SwsContext *scaler;
    AVFrame *frame;
    AVPacket *packet;
    int32_t width, height; // Size of the pictures; that of the video is even.
    uint8_t *padded;       // Pixels padded to even size; NULL if the size is even.
    int64_t count;
    int code; // Error of the first frame that could not be written.
} writer;

// Containers and codecs by extension.
static const struct {
    const char *extension, *format, *encoder, *package, *crf, *preset;
    int matrix;  // From red, green and blue to luma and chroma: SWS_CS_ITU709 or SWS_CS_ITU601.
    bool tagged; // The file contains the matrix; WebP pictures always use BT.601.
} kinds[] = {
    {".mp4", "mp4", "libx264", "libavcodec-extra or libavcodec59 with x264", "20", "fast", SWS_CS_ITU709, true},
    {".webm", "webm", "libvpx-vp9", "libavcodec59 with libvpx", "31", NULL, SWS_CS_ITU709, true},
    {".webp", "webp", "libwebp_anim", "libavcodec59 with libwebp", "0", NULL, SWS_CS_ITU601, false},
};

static void release(writer *v)
{
    if (v->file && v->file->pb)
        avio_closep(&v->file->pb);
    avformat_free_context(v->file);
    avcodec_free_context(&v->encoder);
    sws_freeContext(v->scaler);
    av_frame_free(&v->frame);
    av_packet_free(&v->packet);
    free(v->padded);
    if (v->temporary)
        unlink(v->temporary);
    free(v->temporary);
    free(v->path);
    free(v);
}

static pli_status fail_video(pli_error *error, const writer *v, const char *what, int code)
{
    char text[100] = "";
    av_strerror(code, text, sizeof text);
    return pli_fail(error, PLI_STATUS_FILE, "cannot %s '%s': %s", what, v->path, text);
}

// Colours are sRGB, converted to luma and chroma by the matrix of BT.709 in 16..235 and 16..240, with chroma
// sited at the left, and tagged so in the file.
static void tag_colours(AVCodecContext *encoder)
{
    encoder->colorspace = AVCOL_SPC_BT709;
    encoder->color_range = AVCOL_RANGE_MPEG;
    encoder->color_primaries = AVCOL_PRI_BT709;
    encoder->color_trc = AVCOL_TRC_IEC61966_2_1;
    encoder->chroma_sample_location = AVCHROMA_LOC_LEFT;
}

static bool open_scaler(writer *v, int kind)
{
    v->scaler = sws_alloc_context();
    if (!v->scaler)
        return false;
    const struct {
        const char *name;
        int value;
    } options[] = {
        {"srcw", v->encoder->width},
        {"srch", v->encoder->height},
        {"src_format", AV_PIX_FMT_RGBA},
        {"src_range", 1},
        {"dstw", v->encoder->width},
        {"dsth", v->encoder->height},
        {"dst_format", AV_PIX_FMT_YUV420P},
        {"dst_range", 0},
        {"dst_h_chr_pos", 0},
        {"dst_v_chr_pos", 128},
        {"sws_flags", SWS_BILINEAR | SWS_FULL_CHR_H_INP | SWS_ACCURATE_RND},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (av_opt_set_int(v->scaler, options[i].name, options[i].value, 0) < 0)
            return false;
    const int *matrix = sws_getCoefficients(kinds[kind].matrix);
    return sws_init_context(v->scaler, NULL, NULL) >= 0 &&
           sws_setColorspaceDetails(v->scaler, matrix, 1, matrix, 0, 0, 1 << 16, 1 << 16) >= 0;
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

static pli_status open_encoder(writer *v, int kind, double frames_per_second, pli_error *error)
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
    // Chroma is stored at half resolution: sizes must be even.
    v->encoder->width = v->width + v->width % 2;
    v->encoder->height = v->height + v->height % 2;
    v->encoder->pix_fmt = AV_PIX_FMT_YUV420P;
    v->encoder->time_base = av_inv_q(rate);
    v->encoder->framerate = rate;
    if (kinds[kind].tagged)
        tag_colours(v->encoder);
    v->encoder->log_level_offset = AV_LOG_INFO - AV_LOG_ERROR; // Messages below errors are for debugging.
    v->encoder->gop_size = 30;
    v->encoder->thread_count = 2;
    if (v->file->oformat->flags & AVFMT_GLOBALHEADER)
        v->encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    av_opt_set(v->encoder->priv_data, "crf", kinds[kind].crf, 0);
    if (kinds[kind].preset)
        av_opt_set(v->encoder->priv_data, "preset", kinds[kind].preset, 0);
    av_opt_set(v->encoder->priv_data, "deadline", "realtime", 0);
    av_opt_set(v->encoder->priv_data, "cpu-used", "6", 0);
    int code = avcodec_open2(v->encoder, codec, NULL);
    if (code < 0)
        return fail_video(error, v, "open the encoder for", code);
    avcodec_parameters_from_context(v->stream->codecpar, v->encoder);
    v->stream->time_base = v->encoder->time_base;
    v->stream->avg_frame_rate = rate;
    return pli_succeed(error);
}

static pli_status open_frames(writer *v, int kind, pli_error *error)
{
    v->frame = av_frame_alloc();
    v->packet = av_packet_alloc();
    bool even = v->encoder->width == v->width && v->encoder->height == v->height;
    v->padded = even ? NULL : malloc(4 * (size_t)v->encoder->width * (size_t)v->encoder->height);
    if (!v->frame || !v->packet || !(even || v->padded) || !open_scaler(v, kind))
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    v->frame->format = AV_PIX_FMT_YUV420P;
    v->frame->width = v->encoder->width;
    v->frame->height = v->encoder->height;
    v->frame->colorspace = v->encoder->colorspace;
    v->frame->color_range = v->encoder->color_range;
    v->frame->color_primaries = v->encoder->color_primaries;
    v->frame->color_trc = v->encoder->color_trc;
    v->frame->chroma_location = v->encoder->chroma_sample_location;
    int code = av_frame_get_buffer(v->frame, 0);
    if (code >= 0)
        code = avio_open(&v->file->pb, v->temporary, AVIO_FLAG_WRITE);
    AVDictionary *options = NULL;
    av_dict_set(&options, "movflags", "+faststart", 0);
    av_dict_set(&options, "loop", "0", 0); // Loops endlessly.
    if (code >= 0)
        code = avformat_write_header(v->file, &options);
    av_dict_free(&options);
    return code >= 0 ? pli_succeed(error) : fail_video(error, v, "write", code);
}

static pli_status check_video(const char *path, int32_t width, int32_t height, double frames_per_second,
                              pli_error *error)
{
    if (kind_of(path) < 0)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED, "'%s': a video ends in .mp4, .webm or .webp", path);
    if (width < 16 || width > 8192 || height < 16 || height > 8192)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "'%s': a video of %d x %d was requested; sizes go from 16 to 8192", path, (int)width,
                        (int)height);
    if (!(frames_per_second >= 0.01 && frames_per_second <= 1000.0))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "'%s': %g frames a second were requested; the rate goes from 0.01 to 1000", path,
                        frames_per_second);
    return PLI_STATUS_OK;
}

static pli_status open_video(const char *path, int32_t width, int32_t height, double frames_per_second,
                             pli_video **video, pli_error *error)
{
    pli_status status = check_video(path, width, height, frames_per_second, error);
    if (status != PLI_STATUS_OK)
        return status;
    writer *v = calloc(1, sizeof *v);
    if (!v)
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    int kind = kind_of(path);
    v->path = strdup(path);
    v->temporary = pli_temporary_name(path);
    v->width = width;
    v->height = height;
    if (v->path && v->temporary)
        avformat_alloc_output_context2(&v->file, NULL, kinds[kind].format, v->temporary);
    status = v->file ? open_encoder(v, kind, frames_per_second, error)
                     : pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    if (status == PLI_STATUS_OK)
        status = open_frames(v, kind, error);
    if (status != PLI_STATUS_OK) {
        release(v);
        return status;
    }
    *video = &v->head;
    return status;
}

// Sends a frame, or NULL for the end, and writes the packets received.
static int encode(writer *v, const AVFrame *frame)
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

// Pads the pixels to even size, the last column and row repeated.
static const uint8_t *pad(const writer *v, const uint8_t *pixels)
{
    if (!v->padded)
        return pixels;
    const size_t from = 4 * (size_t)v->width, to = 4 * (size_t)v->encoder->width;
    for (int32_t y = 0; y < v->encoder->height; y++) {
        uint8_t *row = v->padded + (size_t)y * to;
        memcpy(row, pixels + (size_t)(y < v->height ? y : v->height - 1) * from, from);
        memmove(row + to - 4, row + from - 4, 4);
    }
    return v->padded;
}

static pli_status add_picture(pli_video *video, const uint8_t *pixels, pli_error *error)
{
    writer *v = (writer *)video;
    if (!pixels)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "pixels is null; give a picture of %d x %d", (int)v->width,
                        (int)v->height);
    int code = av_frame_make_writable(v->frame);
    if (code >= 0) {
        const uint8_t *rows[1] = {pad(v, pixels)};
        const int strides[1] = {4 * v->encoder->width};
        sws_scale(v->scaler, rows, strides, 0, v->encoder->height, v->frame->data, v->frame->linesize);
        v->frame->pts = v->count++;
        code = encode(v, v->frame);
    }
    if (code >= 0)
        return pli_succeed(error);
    v->code = code;
    return fail_video(error, v, "write", code);
}

// The MP4 muxer logs its second pass at a level that is global to the process. It is restored on return.
static int write_trailer(AVFormatContext *file)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&one_at_a_time);
    int level = av_log_get_level();
    if (level > AV_LOG_WARNING)
        av_log_set_level(AV_LOG_WARNING);
    int code = av_write_trailer(file);
    av_log_set_level(level);
    pthread_mutex_unlock(&one_at_a_time);
    return code;
}

static pli_status close_video(pli_video *video, pli_error *error)
{
    writer *v = (writer *)video;
    int code = v->code;
    if (v->count > 0 && code >= 0) {
        code = encode(v, NULL);
        if (code >= 0)
            code = write_trailer(v->file);
        int closed = avio_closep(&v->file->pb);
        code = code < 0 ? code : closed;
        if (code >= 0 && !pli_publish(v->temporary, v->path))
            code = AVERROR(errno);
    }
    pli_status status = code >= 0 ? pli_succeed(error) : fail_video(error, v, "write", code);
    release(v);
    return status;
}

PLI_API extern const pli_video_plugin pli_plugin_video;
const pli_video_plugin pli_plugin_video = {{PLI_VERSION_STRING}, open_video, add_picture, close_video};
