// SPDX-License-Identifier: MIT
#include "cache/digest.h"

#include <string.h>

#include "support/suite.h"

enum { BYTES = 1000 };

static const char *text_of(struct tf_digest digest)
{
    static char text[2 * TF_DIGEST_BYTES + 1];

    tf_digest_text(&digest, text);
    return text;
}

// Of the bytes 3, 10, 17, ...: computed by Python's hashlib.
static const struct {
    size_t bytes;
    const char *digest;
} known[] = {
    {0, "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"},
    {1, "e88bd757ad5b9bedf372d8d3f0cf6c962a469db61a265f6418e1ffed86da29ec"},
    {127, "c9ae3859964b35f04c54b36d33cf299d7290ee621005d28e51598a943560aaaa"},
    {128, "f0501d06597880592bc49234eef100ec1ff349058d0e9d9b753504e24af86dd6"},
    {129, "a34a4e1e03c541dfbf3099c4b6c143c022ced65c28bd7e8a10e0a098461aecf0"},
    {256, "d93ebb9c802f5630ab22516fd82b6c21bc8bd551d531349b715f046ed11ed871"},
    {1000, "d62b6c768ce1afc8367e0498ab2f8e3f7c178c35b1429f14c4604b545d200f52"},
};

static void fill(unsigned char *data)
{
    for (int i = 0; i < BYTES; i++)
        data[i] = (unsigned char)(i * 7 + 3);
}

START_TEST(known_contents_have_known_digests)
{
    unsigned char data[BYTES];

    fill(data);
    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        ck_assert_str_eq(text_of(tf_digest_of(data, known[i].bytes)), known[i].digest);
}
END_TEST

START_TEST(pieces_do_not_matter)
{
    unsigned char data[BYTES];

    fill(data);
    for (size_t step = 1; step < 300; step++) {
        struct tf_digester d;

        tf_digest_start(&d);
        for (size_t at = 0; at < BYTES; at += step)
            tf_digest_add(&d, data + at, step < BYTES - at ? step : BYTES - at);
        ck_assert_str_eq(text_of(tf_digest_end(&d)), known[6].digest);
    }
}
END_TEST

START_TEST(parts_are_told_apart)
{
    struct tf_digester a, b, c;
    struct tf_digest x, y, z;

    tf_digest_start(&a);
    tf_digest_add_text(&a, "ab");
    tf_digest_add_text(&a, "c");
    x = tf_digest_end(&a);
    tf_digest_start(&b);
    tf_digest_add_text(&b, "a");
    tf_digest_add_text(&b, "bc");
    y = tf_digest_end(&b);
    ck_assert(!tf_digest_equal(&x, &y));

    tf_digest_start(&a);
    tf_digest_add_text(&a, NULL);
    x = tf_digest_end(&a);
    tf_digest_start(&b);
    tf_digest_add_text(&b, "");
    y = tf_digest_end(&b);
    tf_digest_start(&c);
    tf_digest_add_text(&c, NULL);
    z = tf_digest_end(&c);
    ck_assert(!tf_digest_equal(&x, &y));
    ck_assert(tf_digest_equal(&x, &z));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("digest");
    TCase *tests = tcase_create("digest");

    tcase_add_test(tests, known_contents_have_known_digests);
    tcase_add_test(tests, pieces_do_not_matter);
    tcase_add_test(tests, parts_are_told_apart);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
