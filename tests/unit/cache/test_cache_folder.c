// SPDX-License-Identifier: MIT
#include "cache/cache_folder.h"

#include <string.h>

#include "support/cache_rig.h"
#include "support/suite.h"

static const char text[] = "content";

static bool works(void)
{
    rig_write(1, text, sizeof(text));
    return rig_holds(1, text, sizeof(text));
}

START_TEST(missing_folders_are_made_for_the_owner_only)
{
    struct stat facts;

    snprintf(rig_cache.folder, sizeof(rig_cache.folder), "%s/a/b/c", rig_top);
    ck_assert(works());
    ck_assert_int_eq(stat(rig_cache.folder, &facts), 0);
    ck_assert_uint_eq(facts.st_mode & 07777, 0700);
}
END_TEST

START_TEST(asking_makes_nothing)
{
    ck_assert(!rig_holds(1, text, sizeof(text)));
    ck_assert_int_ne(access(rig_cache.folder, F_OK), 0);
}
END_TEST

START_TEST(folder_that_others_may_write_is_not_trusted)
{
    static const mode_t modes[] = {0777, 0770, 0702, 01777};

    ck_assert(works());
    for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
        ck_assert_int_eq(chmod(rig_cache.folder, modes[i]), 0);
        ck_assert(!rig_holds(1, text, sizeof(text)));
        rig_write(2, text, sizeof(text));
    }
    ck_assert_int_eq(chmod(rig_cache.folder, 0755), 0);
    ck_assert(rig_holds(1, text, sizeof(text)));
    ck_assert(!rig_holds(2, text, sizeof(text)));
}
END_TEST

START_TEST(symbolic_link_is_not_followed)
{
    char path[128];

    ck_assert(works());
    snprintf(path, sizeof(path), "%s/link", rig_top);
    ck_assert_int_eq(symlink(rig_cache.folder, path), 0);
    strcpy(rig_cache.folder, path);
    ck_assert(!rig_holds(1, text, sizeof(text)));
}
END_TEST

START_TEST(linked_room_is_not_followed)
{
    char room[400], elsewhere[200], path[400];

    ck_assert(works());
    rig_path(1, path, sizeof(path));
    snprintf(room, sizeof(room), "%.*s", (int)(strrchr(path, '/') - path), path);
    snprintf(elsewhere, sizeof(elsewhere), "%s/elsewhere", rig_top);
    ck_assert_int_eq(rename(room, elsewhere), 0);
    ck_assert_int_eq(symlink(elsewhere, room), 0);
    ck_assert(!works());
    ck_assert_int_eq(unlink(room), 0);
    ck_assert_int_eq(rename(elsewhere, room), 0);
    ck_assert(rig_holds(1, text, sizeof(text)));
}
END_TEST

// What root (sudo) made under the HOME of a user, that user could not write to. Only root
// can make such a folder, so for others there is nothing to see here.
START_TEST(nothing_is_made_in_folders_of_other_users)
{
    enum { OTHER = 54321 };
    char home[100];

    if (geteuid() != 0)
        return;
    snprintf(home, sizeof(home), "%s/home", rig_top);
    ck_assert_int_eq(mkdir(home, 0755), 0);
    ck_assert_int_eq(chown(home, OTHER, OTHER), 0);
    snprintf(rig_cache.folder, sizeof(rig_cache.folder), "%s/.cache/trefoil", home);
    ck_assert(!works());
    strcat(home, "/.cache");
    ck_assert_int_ne(access(home, F_OK), 0);
    ck_assert_int_eq(mkdir(home, 0755), 0); // root's own: below it all is well
    ck_assert(works());
}
END_TEST

START_TEST(folder_that_cannot_be_made_is_a_miss)
{
    snprintf(rig_cache.folder, sizeof(rig_cache.folder), "/proc/self/trefoil");
    ck_assert(!works());
    snprintf(rig_cache.folder, sizeof(rig_cache.folder), "/dev/null/trefoil");
    ck_assert(!works());
}
END_TEST

// The table of environment variables is read once a process: each case has a child.
static const struct tf_cache *of_environment(const char *cache, const char *caches,
                                             const char *home, bool expected)
{
    static struct tf_cache found;

    unsetenv("TREFOIL_CACHE");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    if (cache)
        setenv("TREFOIL_CACHE", cache, 1);
    if (caches)
        setenv("XDG_CACHE_HOME", caches, 1);
    if (home)
        setenv("HOME", home, 1);
    ck_assert_int_eq(tf_cache_of_environment(&found), expected);
    return &found;
}

START_TEST(variable_names_the_folder)
{
    ck_assert_str_eq(of_environment("/x/y", "/caches", "/home/u", true)->folder, "/x/y");
}
END_TEST

START_TEST(relative_folder_is_that_of_the_start)
{
    ck_assert_int_eq(chdir("/tmp"), 0);
    ck_assert_str_eq(of_environment("x/y", NULL, NULL, true)->folder, "/tmp/x/y");
}
END_TEST

START_TEST(default_is_in_the_folder_of_caches)
{
    ck_assert_str_eq(of_environment(NULL, "/caches", "/home/u", true)->folder,
                     "/caches/trefoil");
    ck_assert_str_eq(of_environment(NULL, NULL, "/tmp", true)->folder,
                     "/tmp/.cache/trefoil");
    ck_assert_str_eq(of_environment(NULL, "relative", "/tmp", true)->folder,
                     "/tmp/.cache/trefoil");
}
END_TEST

START_TEST(without_home_there_is_none)
{
    of_environment(NULL, NULL, NULL, false);
    of_environment(NULL, "", "", false);
    of_environment(NULL, NULL, "/nonexistent/home", false); // a service's, run by root
}
END_TEST

START_TEST(off_is_off)
{
    of_environment("off", "/caches", "/home/u", false);
}
END_TEST

START_TEST(zero_is_off)
{
    of_environment("0", "/caches", "/home/u", false);
}
END_TEST

START_TEST(no_room_is_off)
{
    setenv("TREFOIL_CACHE_SIZE", "0", 1);
    of_environment("/x/y", NULL, NULL, false);
}
END_TEST

START_TEST(size_is_that_of_the_variable)
{
    setenv("TREFOIL_CACHE_SIZE", "3", 1);
    ck_assert_uint_eq(of_environment("/x/y", NULL, NULL, true)->cap_bytes, 3 << 20);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cache_folder");
    TCase *folder = tcase_create("folder"), *variables = tcase_create("variables");

    tcase_add_checked_fixture(folder, rig_up, rig_down);
    tcase_add_test(folder, missing_folders_are_made_for_the_owner_only);
    tcase_add_test(folder, asking_makes_nothing);
    tcase_add_test(folder, folder_that_others_may_write_is_not_trusted);
    tcase_add_test(folder, symbolic_link_is_not_followed);
    tcase_add_test(folder, linked_room_is_not_followed);
    tcase_add_test(folder, nothing_is_made_in_folders_of_other_users);
    tcase_add_test(folder, folder_that_cannot_be_made_is_a_miss);
    suite_add_tcase(suite, folder);
    tcase_add_test(variables, variable_names_the_folder);
    tcase_add_test(variables, relative_folder_is_that_of_the_start);
    tcase_add_test(variables, default_is_in_the_folder_of_caches);
    tcase_add_test(variables, without_home_there_is_none);
    tcase_add_test(variables, off_is_off);
    tcase_add_test(variables, zero_is_off);
    tcase_add_test(variables, no_room_is_off);
    tcase_add_test(variables, size_is_that_of_the_variable);
    suite_add_tcase(suite, variables);
    return tf_run_suite(suite);
}
