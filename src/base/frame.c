// SPDX-License-Identifier: MIT
#include "base/frame.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/alloc.h"
#include "base/time.h"

#define MAGIC 0x7f46524du
#define FIRST_BYTES ((size_t)64 << 10)
#define NS_PER_MS 1000000u
#define MAX_WAIT_MS 1000000

struct head {
    uint32_t magic, kind;
    uint64_t bytes;
};

static int wait_ms(uint64_t until_ns)
{
    const uint64_t now_ns = tf_time_ns();
    uint64_t left_ms;

    if (until_ns == TF_FRAME_NO_LIMIT)
        return -1;
    if (now_ns >= until_ns)
        return 0;
    left_ms = (until_ns - now_ns) / NS_PER_MS + 1;
    return left_ms > MAX_WAIT_MS ? MAX_WAIT_MS : (int)left_ms;
}

static enum tf_frame_result wait_for(const struct tf_kept_fd *link, short events,
                                     uint64_t until_ns)
{
    for (;;) {
        struct pollfd p = {.fd = tf_kept_fd(link), .events = events};
        const int ms = wait_ms(until_ns);
        const int n = p.fd < 0 ? 0 : poll(&p, 1, ms);

        if (n > 0)
            return TF_FRAME_OK;
        // A system that does not let a process wait would be asked for ever.
        if (p.fd < 0 || (n < 0 && errno != EINTR))
            return TF_FRAME_END;
        if (n == 0 && ms == 0)
            return TF_FRAME_LATE;
    }
}

// What was sent is taken off the front, and parts that are empty by then.
static void skip(struct msghdr *message, size_t bytes)
{
    for (;;) {
        struct iovec *const part = message->msg_iov;
        const size_t n = bytes < part->iov_len ? bytes : part->iov_len;

        part->iov_base = (char *)part->iov_base + n;
        part->iov_len -= n;
        bytes -= n;
        if (part->iov_len > 0)
            return;
        message->msg_iov++;
        if (--message->msg_iovlen == 0)
            return;
    }
}

// The parts at once, so that the other side wakes once.
static enum tf_frame_result send_all(const struct tf_kept_fd *link, struct iovec *parts,
                                     size_t count, uint64_t until_ns)
{
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
    enum tf_frame_result result = TF_FRAME_OK;

    while (result == TF_FRAME_OK && message.msg_iovlen > 0) {
        const int fd = tf_kept_fd(link);
        ssize_t n;

        if (fd < 0)
            return TF_FRAME_END;
        n = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            result = wait_for(link, POLLOUT, until_ns);
        else if (n < 0 && errno != EINTR)
            result = TF_FRAME_END;
        else if (n >= 0)
            skip(&message, (size_t)n);
    }
    return result;
}

enum tf_frame_result tf_frame_send(const struct tf_kept_fd *link, uint32_t kind,
                                   const void *data, size_t bytes, uint64_t until_ns)
{
    struct head head = {.magic = MAGIC, .kind = kind, .bytes = bytes};
    struct iovec parts[] = {{&head, sizeof(head)}, {(void *)(uintptr_t)data, bytes}};

    if (bytes > TF_FRAME_MAX_BYTES)
        return TF_FRAME_NO_MEMORY;
    return send_all(link, parts, sizeof(parts) / sizeof(parts[0]), until_ns);
}

// `*got` counts; END when the other side has closed.
static enum tf_frame_result receive_some(const struct tf_kept_fd *link, char *data,
                                         size_t bytes, size_t *got, uint64_t until_ns)
{
    enum tf_frame_result result = TF_FRAME_OK;

    while (result == TF_FRAME_OK) {
        const int fd = tf_kept_fd(link);
        const ssize_t n = fd < 0 ? 0 : recv(fd, data, bytes, MSG_DONTWAIT);

        if (n > 0) {
            *got += (size_t)n;
            return TF_FRAME_OK;
        }
        if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
            return TF_FRAME_END;
        if (errno != EINTR)
            result = wait_for(link, POLLIN, until_ns);
    }
    return result;
}

static enum tf_frame_result receive_body(const struct tf_kept_fd *link,
                                         struct tf_frame *out, uint64_t bytes,
                                         uint64_t until_ns)
{
    enum tf_frame_result result = TF_FRAME_OK;
    size_t room = 0;

    while (result == TF_FRAME_OK && out->bytes < bytes) {
        if (out->bytes == room) {
            room = room ? room * 2 : FIRST_BYTES;
            room = room < bytes ? room : (size_t)bytes;
            void *const larger = tf_realloc(out->data, room);
            if (!larger)
                return TF_FRAME_NO_MEMORY;
            out->data = larger;
        }
        result = receive_some(link, (char *)out->data + out->bytes, room - out->bytes,
                              &out->bytes, until_ns);
    }
    return result == TF_FRAME_END ? TF_FRAME_CUT : result;
}

enum tf_frame_result tf_frame_receive(const struct tf_kept_fd *link, struct tf_frame *out,
                                      uint64_t until_ns)
{
    enum tf_frame_result result = TF_FRAME_OK;
    struct head head;
    size_t got = 0;

    memset(out, 0, sizeof(*out));
    while (result == TF_FRAME_OK && got < sizeof(head))
        result =
            receive_some(link, (char *)&head + got, sizeof(head) - got, &got, until_ns);
    if (result != TF_FRAME_OK)
        return result == TF_FRAME_END && got > 0 ? TF_FRAME_CUT : result;
    if (head.magic != MAGIC || head.bytes > TF_FRAME_MAX_BYTES)
        return TF_FRAME_CUT;
    out->kind = head.kind;
    result = receive_body(link, out, head.bytes, until_ns);
    if (result != TF_FRAME_OK) {
        tf_free(out->data);
        memset(out, 0, sizeof(*out));
    }
    return result;
}

bool tf_frame_rest(const struct tf_kept_fd *link, char *text, size_t text_bytes,
                   uint64_t until_ns)
{
    enum tf_frame_result result = TF_FRAME_OK;
    size_t got = 0;

    while (result == TF_FRAME_OK) {
        char rest[256];
        size_t n = 0;

        result = receive_some(link, rest, sizeof(rest), &n, until_ns);
        n = n < text_bytes - 1 - got ? n : text_bytes - 1 - got;
        memcpy(text + got, rest, n);
        got += n;
    }
    text[got] = '\0';
    return result == TF_FRAME_END;
}

bool tf_frame_waits(const struct tf_kept_fd *link)
{
    struct pollfd p = {.fd = tf_kept_fd(link), .events = POLLIN};

    return poll(&p, 1, 0) > 0;
}
