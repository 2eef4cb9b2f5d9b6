// Video files, read back by libav and judged by the formulas of BT.709; how files appear under their names.
#define _GNU_SOURCE
#include <pliant/render.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

enum { WIDTH = 161, HEIGHT = 121, FRAMES = 12 };

static const char *const paths[] = {"test_video.mp4", "test_video.webm"};

// The contents of a file: its first picture as luma and chroma, and its properties.
typedef struct film {
    int width, height, packets, pictures;
    double rate, last_time;
    enum AVColorSpace matrix;
    enum AVColorRange range;
    enum AVColorPrimaries primaries;
    enum AVColorTransferCharacteristic transfer;
    AVFrame *first;
} film;

static void decode(AVCodecContext *decoder, const AVPacket *packet, AVFrame *frame, film *f)
{
    assert_true(avcodec_send_packet(decoder, packet) >= 0);
    for (; avcodec_receive_frame(decoder, frame) >= 0; av_frame_unref(frame))
        if (f->pictures++ == 0)
            av_frame_move_ref(f->first, frame);
}

static film read_film(const char *path)
{
    film f = {.first = av_frame_alloc()};
    AVFormatContext *file = NULL;
    assert_true(avformat_open_input(&file, path, NULL, NULL) >= 0);
    assert_true(avformat_find_stream_info(file, NULL) >= 0);
    const AVStream *stream = file->streams[0];
    f.width = stream->codecpar->width;
    f.height = stream->codecpar->height;
    f.matrix = stream->codecpar->color_space;
    f.range = stream->codecpar->color_range;
    f.primaries = stream->codecpar->color_primaries;
    f.transfer = stream->codecpar->color_trc;
    f.rate = av_q2d(stream->avg_frame_rate);
    AVCodecContext *decoder = avcodec_alloc_context3(avcodec_find_decoder(stream->codecpar->codec_id));
    assert_true(avcodec_parameters_to_context(decoder, stream->codecpar) >= 0);
    assert_true(avcodec_open2(decoder, NULL, NULL) >= 0);
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    for (; av_read_frame(file, packet) >= 0; av_packet_unref(packet)) {
        f.packets++;
        f.last_time = fmax(f.last_time, (double)packet->pts * av_q2d(stream->time_base));
        decode(decoder, packet, frame, &f);
    }
    decode(decoder, NULL, frame, &f);
    av_packet_free(&packet);
    av_frame_free(&frame);
    avcodec_free_context(&decoder);
    avformat_close_input(&file);
    return f;
}

static void write_film(const char *path, const uint8_t *pixels, int32_t width, int32_t height, double rate)
{
    pli_video *video;
    pli_error error = {0};
    if (pli_video_open(path, width, height, rate, &video, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    for (int i = 0; i < FRAMES; i++)
        if (pli_video_add(video, pixels, &error) != PLI_STATUS_OK)
            fail_msg("%s", error.message);
    if (pli_video_close(video, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
}

static void set_pixel(uint8_t *pixels, int x, int y, int red, int green, int blue)
{
    uint8_t *p = pixels + 4 * (y * WIDTH + x);
    p[0] = (uint8_t)red;
    p[1] = (uint8_t)green;
    p[2] = (uint8_t)blue;
    p[3] = 255;
}

static int luma_at(const film *f, int x, int y) { return f->first->data[0][y * f->first->linesize[0] + x]; }

// Grey g is luma 16 + 219 g / 255. The last column and row are light, and so is a line in the middle.
static void odd_sizes_repeat_the_edge(void **state)
{
    (void)state;
    static uint8_t pixels[4 * WIDTH * HEIGHT];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            bool light = x == WIDTH - 1 || y == HEIGHT - 1 || x == WIDTH / 2;
            set_pixel(pixels, x, y, light ? 230 : 40, light ? 230 : 40, light ? 230 : 40);
        }
    for (int i = 0; i < 2; i++) {
        write_film(paths[i], pixels, WIDTH, HEIGHT, 30.0);
        film f = read_film(paths[i]);
        assert_int_equal(f.width, WIDTH + 1);
        assert_int_equal(f.height, HEIGHT + 1);
        assert_int_equal(f.pictures, FRAMES);
        for (int k = 10; k < 110; k++) {
            assert_in_range(luma_at(&f, WIDTH, k), 200, 228);
            assert_in_range(luma_at(&f, WIDTH - 1, k), 200, 228);
            assert_in_range(luma_at(&f, WIDTH - 2, k), 36, 66);
            assert_in_range(luma_at(&f, k / 2, HEIGHT), 200, 228);
            assert_in_range(luma_at(&f, k / 2, HEIGHT - 1), 200, 228);
            assert_in_range(luma_at(&f, k / 2, HEIGHT - 2), 36, 66);
            assert_in_range(luma_at(&f, WIDTH / 2, k), 200, 228);
            assert_in_range(luma_at(&f, WIDTH / 2 - 1, k), 36, 66);
            assert_in_range(luma_at(&f, WIDTH / 2 + 1, k), 36, 66);
        }
        av_frame_free(&f.first);
        unlink(paths[i]);
    }
}

static const int colours[6][3] = {{200, 40, 40},  {40, 200, 40}, {40, 40, 200},
                                  {230, 230, 40}, {0, 0, 0},     {255, 255, 255}};

// ITU-R BT.709: Y = 0.2126 R + 0.7152 G + 0.0722 B; Cb = (B - Y) / 1.8556; Cr = (R - Y) / 1.5748.
static void check_colour(const film *f, int colour)
{
    const double r = colours[colour][0] / 255.0, g = colours[colour][1] / 255.0, b = colours[colour][2] / 255.0;
    const double luma = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    const double wanted[3] = {16.0 + 219.0 * luma, 128.0 + 224.0 * (b - luma) / 1.8556,
                              128.0 + 224.0 * (r - luma) / 1.5748};
    const int x = 27 * colour + 12, y = 60;
    for (int plane = 0; plane < 3; plane++) {
        int half = plane ? 2 : 1;
        double found = f->first->data[plane][y / half * f->first->linesize[plane] + x / half];
        if (!(fabs(found - wanted[plane]) <= 2.5))
            fail_msg("colour %d, plane %d is %g, not %g", colour, plane, found, wanted[plane]);
    }
}

static void colours_are_those_of_the_tags(void **state)
{
    (void)state;
    static uint8_t pixels[4 * WIDTH * HEIGHT];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const int *c = colours[x / 27];
            set_pixel(pixels, x, y, c[0], c[1], c[2]);
        }
    for (int i = 0; i < 2; i++) {
        write_film(paths[i], pixels, WIDTH, HEIGHT, 30.0);
        film f = read_film(paths[i]);
        assert_int_equal(f.matrix, AVCOL_SPC_BT709);
        assert_int_equal(f.range, AVCOL_RANGE_MPEG);
        assert_int_equal(f.primaries, AVCOL_PRI_BT709);
        assert_int_equal(f.transfer, AVCOL_TRC_IEC61966_2_1);
        for (int k = 0; k < 6; k++)
            check_colour(&f, k);
        av_frame_free(&f.first);
        unlink(paths[i]);
    }
}

static void rates_from_a_hundredth_to_a_thousand_are_kept(void **state)
{
    (void)state;
    static const double rates[] = {0.01, 23.976, 29.97, 60.0, 1000.0};
    static uint8_t pixels[4 * WIDTH * HEIGHT];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 5; k++) {
            write_film(paths[i], pixels, WIDTH - 1, HEIGHT - 1, rates[k]);
            film f = read_film(paths[i]);
            assert_int_equal(f.width, WIDTH - 1);
            assert_int_equal(f.height, HEIGHT - 1);
            assert_int_equal(f.packets, FRAMES);
            assert_int_equal(f.pictures, FRAMES);
            // WebM counts in milliseconds, and libav's reader of it names no rate of 1000.
            bool rate_right = fabs(f.rate / rates[k] - 1.0) < 1e-3 || (i == 1 && rates[k] == 1000.0);
            if (!rate_right || !(fabs(f.last_time - (FRAMES - 1) / rates[k]) < 1.1e-3))
                fail_msg("%s at %g: rate %g, last picture at %g s", paths[i], rates[k], f.rate, f.last_time);
            av_frame_free(&f.first);
            unlink(paths[i]);
        }
}

static void wrong_videos_are_refused(void **state)
{
    (void)state;
    static const double rates[] = {0.0, -1.0, 1e-9, 0.0099, 1001.0, INFINITY, NAN};
    pli_video *video;
    pli_error error;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        assert_int_equal(pli_video_open("wrong.mp4", 64, 64, rates[i], &video, &error), PLI_STATUS_INVALID_ARGUMENT);
        assert_null(video);
        assert_non_null(strstr(error.message, "0.01 to 1000"));
    }
    assert_int_equal(pli_video_open("wrong.avi", 64, 64, 30.0, &video, &error), PLI_STATUS_UNSUPPORTED);
    assert_int_equal(pli_video_open("wrong.mp4", 15, 64, 30.0, &video, &error), PLI_STATUS_INVALID_ARGUMENT);
    assert_int_equal(pli_video_open("wrong.mp4", 64, 9000, 30.0, &video, &error), PLI_STATUS_INVALID_ARGUMENT);
    assert_int_equal(pli_video_open("no/such/folder.mp4", 64, 64, 30.0, &video, &error), PLI_STATUS_FILE);
    assert_int_equal(access("wrong.mp4", F_OK), -1);
}

static void a_video_without_frames_leaves_no_file(void **state)
{
    (void)state;
    pli_video *video;
    pli_error error;
    assert_int_equal(pli_video_open("empty.mp4", 64, 64, 30.0, &video, &error), PLI_STATUS_OK);
    assert_int_equal(pli_video_add(video, NULL, &error), PLI_STATUS_INVALID_ARGUMENT);
    assert_int_equal(pli_video_close(video, &error), PLI_STATUS_OK);
    assert_int_equal(access("empty.mp4", F_OK), -1);
}

static int said;

static void listen(void *context, int level, const char *format, va_list arguments)
{
    (void)context;
    (void)format;
    (void)arguments;
    said += level <= av_log_get_level();
}

static void the_hosts_log_is_left_alone(void **state)
{
    (void)state;
    static const int levels[] = {AV_LOG_QUIET, AV_LOG_ERROR, AV_LOG_INFO};
    static uint8_t pixels[4 * 64 * 64];
    av_log_set_callback(listen);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            pli_video *video;
            pli_error error;
            said = 0;
            av_log_set_level(levels[k]);
            assert_int_equal(pli_video_open(paths[i], 64, 64, 30.0, &video, &error), PLI_STATUS_OK);
            assert_int_equal(av_log_get_level(), levels[k]);
            assert_int_equal(pli_video_add(video, pixels, &error), PLI_STATUS_OK);
            assert_int_equal(av_log_get_level(), levels[k]);
            assert_int_equal(pli_video_close(video, &error), PLI_STATUS_OK);
            assert_int_equal(av_log_get_level(), levels[k]);
            assert_int_equal(said, 0);
            unlink(paths[i]);
        }
    av_log_set_callback(av_log_default_callback);
}

/* ---- files reach the disk before their name ------------------------------------------------- */

// The library calls these instead of the system's.
static ino_t flushed[8];
static int flushed_count, flushed_at_rename, renamed;

int fsync(int handle)
{
    struct stat info;
    if (flushed_count < 8 && fstat(handle, &info) == 0)
        flushed[flushed_count++] = info.st_ino;
    return (int)syscall(SYS_fsync, handle);
}

int rename(const char *from, const char *to)
{
    renamed++;
    flushed_at_rename = flushed_count;
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

static void check_flushes(const char *path)
{
    struct stat file, folder;
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(stat(".", &folder), 0);
    assert_int_equal(renamed, 1);
    assert_int_equal(flushed_at_rename, 1);
    assert_int_equal(flushed_count, 2);
    assert_true(flushed[0] == file.st_ino);
    assert_true(flushed[1] == folder.st_ino);
    flushed_count = flushed_at_rename = renamed = 0;
    unlink(path);
}

static void files_reach_the_disk_before_their_name(void **state)
{
    (void)state;
    static uint8_t pixels[4 * 64 * 64];
    pli_error error;
    flushed_count = flushed_at_rename = renamed = 0;
    for (int i = 0; i < 2; i++) {
        write_film(paths[i], pixels, 64, 64, 30.0);
        check_flushes(paths[i]);
    }
    assert_int_equal(pli_image_write_png("test_video.png", pixels, 64, 64, &error), PLI_STATUS_OK);
    check_flushes("test_video.png");
}

static void assert_old_file_stays(const char *path)
{
    char text[8] = "", name[64];
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    assert_non_null(fgets(text, sizeof text, stream));
    fclose(stream);
    assert_string_equal(text, "old");
    snprintf(name, sizeof name, "%s.%ld.tmp", path, (long)getpid());
    assert_int_equal(access(name, F_OK), -1);
    unlink(path);
}

static bool writes_noise(const char *path, pli_error *error)
{
    static uint8_t pixels[4 * 64 * 64];
    uint32_t noise = 1;
    pli_video *video;
    bool written = true;
    if (pli_video_open(path, 64, 64, 30.0, &video, error) != PLI_STATUS_OK)
        return false;
    for (int i = 0; i < 20; i++) {
        for (size_t k = 0; k < sizeof pixels; k++)
            pixels[k] = (uint8_t)((noise = noise * 1664525u + 1013904223u) >> 24);
        written = pli_video_add(video, pixels, error) == PLI_STATUS_OK && written;
    }
    return pli_video_close(video, error) == PLI_STATUS_OK && written;
}

// Files may have 8 KiB here, which stands for a full disk.
static void a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    static uint8_t pixels[4 * 64 * 64];
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    for (int i = 0; i < 3; i++) {
        const char *path = i < 2 ? paths[i] : "test_video.png";
        pli_error error = {0};
        FILE *stream = fopen(path, "w");
        assert_non_null(stream);
        fputs("old", stream);
        fclose(stream);
        for (size_t k = 0; k < sizeof pixels; k++)
            pixels[k] = (uint8_t)(k * k * 2654435761u >> 13);
        small = before;
        small.rlim_cur = 8192;
        void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        bool written = i < 2 ? writes_noise(path, &error)
                             : pli_image_write_png(path, pixels, 64, 64, &error) == PLI_STATUS_OK;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        signal(SIGXFSZ, handler);
        assert_false(written);
        assert_int_equal(error.status, PLI_STATUS_FILE);
        assert_old_file_stays(path);
    }
}

static uint32_t little(const uint8_t *p, int bytes)
{
    uint32_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint32_t)p[i] << 8 * i;
    return value;
}

// The luma of the first pixel of a frame of an animation, whose own chunk is a picture by itself.
static int first_luma(const uint8_t *chunk, uint32_t size)
{
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    AVCodecContext *decoder = avcodec_alloc_context3(avcodec_find_decoder(AV_CODEC_ID_WEBP));
    assert_int_equal(avcodec_open2(decoder, NULL, NULL), 0);
    assert_int_equal(av_new_packet(packet, (int)size + 12), 0);
    const uint8_t head[12] = {
        'R', 'I', 'F', 'F', (uint8_t)(size + 4), (uint8_t)((size + 4) >> 8), (uint8_t)((size + 4) >> 16), 0,
        'W', 'E', 'B', 'P'};
    memcpy(packet->data, head, 12);
    memcpy(packet->data + 12, chunk, size);
    assert_true(avcodec_send_packet(decoder, packet) >= 0);
    assert_true(avcodec_receive_frame(decoder, frame) >= 0);
    int luma = frame->data[0][0];
    avcodec_free_context(&decoder);
    av_frame_free(&frame);
    av_packet_free(&packet);
    return luma;
}

// The container as Google's specification has it: RIFF with VP8X, ANIM and an ANMF for each frame. Red is 16 + 65.5 in BT.601.
static void animations_play_for_ever(void **state)
{
    (void)state;
    static uint8_t pixels[4 * WIDTH * HEIGHT], file[1 << 20];
    pli_video *video;
    pli_error error = {0};
    assert_int_equal(pli_video_open("test_video.webp", WIDTH, HEIGHT, 25.0, &video, &error), PLI_STATUS_OK);
    for (int i = 0; i < FRAMES; i++) {
        for (int k = 0; k < WIDTH * HEIGHT; k++)
            set_pixel(pixels, k % WIDTH, k / WIDTH, i == 0 ? 255 : 20 * i, 0, i == 0 ? 0 : k % WIDTH);
        assert_int_equal(pli_video_add(video, pixels, &error), PLI_STATUS_OK);
    }
    assert_int_equal(pli_video_close(video, &error), PLI_STATUS_OK);
    FILE *stream = fopen("test_video.webp", "rb");
    size_t size = fread(file, 1, sizeof file, stream);
    fclose(stream);
    assert_memory_equal(file, "RIFF", 4);
    assert_memory_equal(file + 8, "WEBP", 4);
    int frames = 0, time = 0, luma = 0, loops = -1;
    for (size_t at = 12; at + 8 <= size;) {
        uint32_t length = little(file + at + 4, 4);
        const uint8_t *body = file + at + 8;
        if (memcmp(file + at, "VP8X", 4) == 0) {
            assert_int_equal(little(body + 4, 3) + 1, WIDTH + 1);
            assert_int_equal(little(body + 7, 3) + 1, HEIGHT + 1);
        } else if (memcmp(file + at, "ANIM", 4) == 0) {
            loops = (int)little(body + 4, 2);
        } else if (memcmp(file + at, "ANMF", 4) == 0) {
            luma = frames == 0 ? first_luma(body + 16, length - 16) : luma;
            time += (int)little(body + 12, 3);
            frames++;
        }
        at += 8 + length + length % 2;
    }
    assert_int_equal(frames, FRAMES);
    assert_int_equal(loops, 0);
    assert_in_range(luma, 78, 85);
    assert_in_range(time, 1000 * (FRAMES - 1) / 25, 1000 * FRAMES / 25 + 1);
    unlink("test_video.webp");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(animations_play_for_ever),
        cmocka_unit_test(odd_sizes_repeat_the_edge),
        cmocka_unit_test(colours_are_those_of_the_tags),
        cmocka_unit_test(rates_from_a_hundredth_to_a_thousand_are_kept),
        cmocka_unit_test(wrong_videos_are_refused),
        cmocka_unit_test(a_video_without_frames_leaves_no_file),
        cmocka_unit_test(the_hosts_log_is_left_alone),
        cmocka_unit_test(files_reach_the_disk_before_their_name),
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
