# SPDX-License-Identifier: MIT
"""What `make install` puts into a tree is all that a clean system needs besides the loader and the
C library; it runs there as root of a file system with nothing else in it; uninstalling leaves
nothing. With `packages`: the same of the .deb files and the archive that cpack makes."""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# What the packages may ask of a system.
SYSTEM = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "libOpenCL.so.1"}
DRIVER = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}
# An LLVM linked as a shared library is the system's.
SHARED = re.compile(r"libLLVM|libclang|libstdc\+\+|libgcc_s|libz")
PROGRAMS = ("trefoil-run", "trefoil-info", "trefoilc", "trefoil-cache")
KERNEL = """// RUN: scale global=1000
// ARG: a float[1000] = i
// EXPECT: a = 2 * i
kernel void scale(global float *a) { a[get_global_id(0)] *= 2; }
"""
# What is right in every process that runs in the tree.
CHROOT_FAILS = 125

faults = []
left_out = []


def expect(holds, text):
    if not holds:
        faults.append(text)


def call(*command, **environment):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=550,
                          env={**os.environ, **environment})


def must(*command, **environment):
    result = call(*command, **environment)
    if result.returncode:
        raise SystemExit(f"{' '.join(command)}: {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def check_files(tree, prefix):
    """Every program and page is there, and asks for nothing that a clean system lacks."""
    top = tree / prefix.lstrip("/")
    for name in PROGRAMS:
        expect((top / "bin" / name).exists(), f"{name} is not installed")
        expect(any(top.glob(f"share/man/man1/{name}.1*")), f"the page of {name} is not installed")
    icd = tree / "etc/OpenCL/vendors/trefoil.icd"
    library = icd.read_text().strip()
    expect((tree / library.lstrip("/")).exists(), f"trefoil.icd names {library}, which is not installed")
    folder = (tree / library.lstrip("/")).parent
    for name in ("libtrefoil.so", "libtrefoil-compiler.so", "trefoil-helper"):
        expect((folder / name).exists(), f"{name} is not beside the driver")
    for path in filter(lambda p: p.is_file() and is_elf(p), tree.rglob("*")):
        dynamic = must("readelf", "-dW", str(path))
        needed = {n for n in re.findall(r"NEEDED.*\[(.*)\]", dynamic) if not SHARED.match(n)}
        allowed = DRIVER if path.name == "libtrefoil.so" else SYSTEM
        expect(needed <= allowed, f"{path.name} needs {needed - allowed}")
        expect("RPATH" not in dynamic and "RUNPATH" not in dynamic, f"{path.name} has a path of libraries")
        expect(".debug_info" not in must("readelf", "-SW", str(path)), f"{path.name} is not stripped")
    return folder


def add_system(tree, prefix, folder):
    """The loader and the C library, as a clean system has them, at the same places."""
    top = tree / prefix.lstrip("/")
    files = set()
    for path in [*(top / "bin" / name for name in PROGRAMS), *folder.iterdir()]:
        if path.name == "trefoil-helper-whole":  # needs nothing
            continue
        files.update(re.findall(r"(/\S+)", "\n".join(
            line.split("=>")[-1] for line in must("ldd", str(path)).splitlines())))
    for name in filter(os.path.exists, files):
        target = tree / name.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(name, target)
    return files


def in_tree(tree, *command):
    """Runs with nothing but the tree: no /proc, no /dev, no HOME, an empty environment."""
    chroot = [shutil.which("chroot"), str(tree)]
    if os.geteuid() != 0:
        chroot = [shutil.which("unshare"), "--user", "--map-root-user", *chroot]
    return subprocess.run([*chroot, *command], capture_output=True, text=True, check=False, timeout=250,
                          env={"PATH": ""}, stdin=subprocess.DEVNULL)


def check_running(tree, prefix):
    if not shutil.which("chroot") or not shutil.which("unshare"):
        left_out.append("no chroot here: nothing was run in the clean tree")
        return
    (tree / "scale.cl").write_text(KERNEL)
    first = in_tree(tree, f"{prefix}/bin/trefoil-info", "--list")
    if first.returncode == CHROOT_FAILS or "unshare" in first.stderr:
        left_out.append(f"not root, and no user namespace: nothing was run in the clean tree ({first.stderr.strip()})")
        return
    expect(first.returncode == 0 and "Trefoil" in first.stdout, f"trefoil-info --list: {first}")
    for command, text in ((("trefoil-run", "/scale.cl"), "pass "),
                          (("trefoil-info", "--self-test"), r"passed +yes"),
                          (("trefoilc", "--emit=binary", "-o", "/scale.bin", "/scale.cl"), ""),
                          (("trefoil-cache", "size"), "")):
        result = in_tree(tree, f"{prefix}/bin/{command[0]}", *command[1:])
        expect(result.returncode == 0 and re.search(text, result.stdout), f"in the clean tree, {command}: {result}")
    expect((tree / "scale.bin").stat().st_size > 1000, "trefoilc wrote no binary")
    for name in ("scale.cl", "scale.bin"):
        (tree / name).unlink()


def remove_system(tree, files):
    for name in files:
        path = tree / name.lstrip("/")
        path.unlink(missing_ok=True)
        for folder in list(path.parents)[:-1]:
            if folder != tree and folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()


def by_make(source, build):
    """Whether the build is that of the Makefile, so that what doc/installing.md says can be run as it stands."""
    return build == source / "build" and shutil.which("make")


@contextlib.contextmanager
def record_kept(build):
    """The record of an installation by the user survives: it is kept in the build folder."""
    records = [build / f"install_{name}.txt" for name in ("manifest", "folders")]
    kept = {path: path.read_bytes() for path in records if path.exists()}
    for path in kept:
        path.unlink()
    try:
        yield
    finally:
        for path in records:
            path.unlink(missing_ok=True)
        for path, text in kept.items():
            path.write_bytes(text)


def expect_nothing(tree):
    left = [str(path.relative_to(tree)) for path in tree.rglob("*")]
    expect(not left, f"uninstalling leaves {left}")


def check_target(build):
    """What is installed is what the target `installed` builds, beside what CMake writes by itself: in a fresh clone
    nothing else has been built."""
    if not shutil.which("ninja") or not (build / "build.ninja").exists():
        left_out.append("no ninja: nobody looked whether a fresh clone can be installed")
        return
    made = {line.split(": ")[0] for line in must("ninja", "-C", str(build), "-t", "targets", "all").splitlines()}
    built = set(re.findall(r'label="([^"]+)"', must("ninja", "-C", str(build), "-t", "graph", "installed")))
    for script in build.rglob("cmake_install.cmake"):
        for name in re.findall(r'FILES "([^"]+)"', script.read_text()):
            path = os.path.relpath(name, build)
            expect(path not in made or path in built, f"{path} is installed, but the target `installed` does not build it")


def check_install(source, build, prefix, folder):
    tree = folder / "installed here"
    tree.mkdir()
    with record_kept(build):
        if by_make(source, build):
            must("make", "-C", str(source), "install", f"PREFIX={prefix}", DESTDIR=str(tree))
        else:
            must("cmake", "--install", str(build), "--strip", DESTDIR=str(tree))
        files = add_system(tree, prefix, check_files(tree, prefix))
        check_running(tree, prefix)
        remove_system(tree, files)
        if by_make(source, build):
            must("make", "-C", str(source), "uninstall", DESTDIR=str(tree))
        else:
            uninstall(source, build, tree)
        expect_nothing(tree)


def check_refusal(build, folder):
    """Where trefoil.icd cannot go, nothing else goes either."""
    tree = folder / "refused"
    (tree / "etc").mkdir(parents=True)
    (tree / "etc/OpenCL").touch()
    with record_kept(build):
        result = call("cmake", "--install", str(build), DESTDIR=str(tree))
        parted = call("cmake", "--install", str(build), "--prefix", "/opt/a;b", DESTDIR=str(folder))
    expect(result.returncode and "trefoil.icd goes to" in " ".join(result.stderr.split()), f"no refusal: {result}")
    left = [p for p in tree.rglob("*") if p.is_file()]
    expect(left == [tree / "etc/OpenCL"], f"a refused installation leaves {left}")
    expect(parted.returncode and "semicolon" in parted.stderr, f"no refusal of a semicolon: {parted}")
    expect(not (folder / "opt").exists(), "a prefix with a semicolon leaves files")


def check_uninstalling(source, folder):
    """Names are taken as they stand, and a file that somebody else has put there stays."""
    build, tree = folder / "record", folder / "odd"
    for prefix in ("J\u00fcrgen", "a b", "c [d]", "e*", "f;g", "h (i)", "l'm"):
        mine, other = tree / prefix / "bin/mine", tree / prefix / "share/other"
        for path in (mine, other):
            path.parent.mkdir(parents=True)
            path.touch()
        neighbour = tree / re.split(r"[^\x20-\x7e]", prefix)[0]  # what a reader of ASCII makes of it
        kept = [other] if neighbour.exists() else [other, neighbour]
        for path in kept:
            path.touch()
        build.mkdir(exist_ok=True)
        (build / "install_manifest.txt").write_text(str(mine))
        (build / "install_folders.txt").write_text("".join(
            f"{p}\n" for p in (tree / prefix, mine.parent, other.parent)))
        must("cmake", f"-DBUILD={build}", "-P", str(source / "cmake/uninstall.cmake"), DESTDIR="")
        expect(not mine.parent.exists(), f"uninstalling from {prefix} leaves {list(mine.parent.parent.rglob('*'))}")
        expect(all(path.exists() for path in kept), f"uninstalling from {prefix} removes what others have put there")
        other.unlink(missing_ok=True)
        (build / "install_manifest.txt").write_text(str(mine))
        (build / "install_folders.txt").write_text(f"{tree / prefix}\n{other.parent}\n")
        must("cmake", f"-DBUILD={build}", "-P", str(source / "cmake/uninstall.cmake"), DESTDIR="")
        expect(not other.parent.exists(), f"uninstalling leaves the empty folders of {prefix}")


def check_spaces(source, build, folder):
    """A prefix with a space in it; the build has it then."""
    tree = folder / "spaces"
    tree.mkdir()
    with record_kept(build):
        must("make", "-C", str(source), "install", "PREFIX=/opt/a b", DESTDIR=str(tree))
        check_files(tree, "/opt/a b")
        must("make", "-C", str(source), "uninstall", DESTDIR=str(tree))
        expect_nothing(tree)


def uninstall(source, build, tree):
    must("cmake", f"-DBUILD={build}", "-P", str(source / "cmake/uninstall.cmake"), DESTDIR=str(tree))


def check_other_prefix(source, build, folder):
    """A prefix that only the installation knows; then one below it, and the first one again."""
    tree = folder / "other"
    tree.mkdir()
    with record_kept(build):
        for prefix in ("/opt/tre foil", "/opt/tre foil/deep/er", "/opt/tre foil"):
            must("cmake", "--install", str(build), "--strip", "--prefix", prefix, DESTDIR=str(tree))
            library = (tree / "etc/OpenCL/vendors/trefoil.icd").read_text().strip()
            expect(library.startswith(prefix + "/lib") and (tree / library.lstrip("/")).exists(),
                   f"--prefix {prefix}: trefoil.icd names {library}")
            if "deep" in prefix:
                uninstall(source, build, tree)
                expect(not (tree / "opt/tre foil/deep").exists(), "uninstalling from a folder in another leaves it")
        # Quickly: CMake takes files less than a second apart for the same.
        for prefix in ("/opt/one", "/opt/two"):
            must("cmake", "--install", str(build), "--component", "runtime", "--prefix", prefix, DESTDIR=str(tree))
        library = (tree / "etc/OpenCL/vendors/trefoil.icd").read_text().strip()
        expect(library.startswith("/opt/two/"), f"--prefix /opt/two: trefoil.icd names {library}")
        shutil.rmtree(tree)
        tree.mkdir()
        # One that is relative is below the current folder; its folders were looked for without end.
        must("timeout", "120", "cmake", "--install", str(build), "--strip", "--prefix", "relative", DESTDIR=str(tree))
        library = (tree / "etc/OpenCL/vendors/trefoil.icd").read_text().strip()
        expect(library.startswith(str(pathlib.Path("relative").absolute())) and (tree / library.lstrip("/")).exists(),
               f"--prefix relative: trefoil.icd names {library}")
        uninstall(source, build, tree)
        expect_nothing(tree)


def field(deb, name):
    return must("dpkg-deb", "-f", str(deb), name).strip()


def make_packages(source, build, prefix, folder):
    """Puts them into the folder, and the build's prefix back; the prefix that they have."""
    if not by_make(source, build):
        must("cpack", "--config", str(build / "CPackConfig.cmake"), "-B", str(folder))
        return prefix
    shutil.rmtree(build / "packages", ignore_errors=True)
    try:
        check_spaces(source, build, folder)
        with record_kept(build):
            record = build / "install_manifest.txt"
            record.write_text("/usr/local/bin/trefoilc")
            must("make", "-C", str(source), "packages")
            expect(record.read_text() == "/usr/local/bin/trefoilc", "packing changes what `make uninstall` removes")
            record.unlink()
    finally:
        must("cmake", "-S", str(source), "-B", str(build), f"-DCMAKE_INSTALL_PREFIX={prefix}")
        must("cmake", "--build", str(build), "--target", "installed")
    for path in (build / "packages").glob("*.*"):
        if path.is_file():
            shutil.copy(path, folder)
    return "/usr"


def check_packages(source, build, prefix, folder):
    prefix = make_packages(source, build, prefix, folder)
    debs = {field(deb, "Package"): deb for deb in folder.glob("*.deb")}
    expect(set(debs) == {"trefoil-opencl-icd", "trefoil-compiler", "trefoil-tools"}, f"packages: {set(debs)}")
    for name, deb in debs.items():
        print(f"{name}: {deb.stat().st_size / 1e6:.1f} MB; Depends: {field(deb, 'Depends')}; "
              f"Recommends: {field(deb, 'Recommends')}")
    driver = field(debs["trefoil-opencl-icd"], "Depends")
    expect(re.fullmatch(r"libc6 \(>= [\d.]+\)", driver), f"the driver needs more than the C library: {driver}")
    tools = field(debs["trefoil-tools"], "Depends")
    expect("libopencl" in tools.lower() and "trefoil-compiler (=" in tools, f"the tools' needs: {tools}")
    tree = folder / "unpacked"
    for deb in debs.values():
        must("dpkg-deb", "-x", str(deb), str(tree))
    check_running_with_system(tree, prefix)
    archive, = folder.glob("*.tar.zst")
    print(f"{archive.name}: {archive.stat().st_size / 1e6:.1f} MB")
    names = {line.rstrip("/") for line in must("tar", "-tf", str(archive)).splitlines()}
    for path in filter(lambda p: p.is_file(), tree.rglob("*")):
        name = str(path.relative_to(tree))
        expect(any(n.endswith(name) for n in names), f"the archive lacks {name}")
    check_removal(debs, folder)


def check_running_with_system(tree, prefix):
    files = add_system(tree, prefix, check_files(tree, prefix))
    check_running(tree, prefix)
    remove_system(tree, files)


def check_removal(debs, folder):
    """dpkg itself, on a system of its own: what it installs, it removes."""
    root = folder / "root"
    (root / "var/lib/dpkg").mkdir(parents=True)
    (root / "var/lib/dpkg/status").touch()
    options = [f"--root={root}", "--force-not-root", "--force-depends", "--force-script-chrootless",
               f"--log={folder}/dpkg.log"]
    result = call("dpkg", *options, "-i", *(str(deb) for deb in debs.values()))
    if result.returncode:
        left_out.append(f"dpkg installs nothing here: {result.stderr.strip()[:200]}")
        return
    expect((root / "etc/OpenCL/vendors/trefoil.icd").exists(), "dpkg installed no trefoil.icd")
    must("dpkg", *options, "-r", *debs)
    left = [str(p.relative_to(root)) for p in root.rglob("*") if p.is_file() and "var/lib/dpkg" not in str(p)]
    expect(not left, f"dpkg -r leaves {left}")


def main(source, build, prefix, *what):
    source, build = pathlib.Path(source).resolve(), pathlib.Path(build).resolve()
    with tempfile.TemporaryDirectory() as folder:
        if "packages" not in what:
            check_target(build)
            check_uninstalling(source, pathlib.Path(folder))
            check_refusal(build, pathlib.Path(folder))
            check_install(source, build, prefix, pathlib.Path(folder))
            check_other_prefix(source, build, pathlib.Path(folder))
        elif not all(shutil.which(tool) for tool in ("cpack", "dpkg-deb", "dpkg-shlibdeps", "zstd")):
            print("no cpack, dpkg or zstd here")
            return 77
        else:
            check_packages(source, build, prefix, pathlib.Path(folder))
    print("\n".join(left_out + faults) or "installed, run in a clean tree, removed")
    return 1 if faults else 77 if left_out else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
