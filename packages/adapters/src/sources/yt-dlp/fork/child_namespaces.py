"""Separate namespaces for each child, inside the sandbox of the fork server, so that it sees no other processes.

Created with system calls, because a child that executes another program would lose the loaded extractors.
Tests: rogueYtDlp.test.ts.
"""
import ctypes
import os
import platform
import signal
import sys

LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == 'linux' else None
PYTHON = ctypes.PyDLL(None, use_errno=True) if sys.platform == 'linux' else None  # PyDLL holds the GIL during calls

CLONE_CALLS = {'x86_64': 56, 'aarch64': 220, 'riscv64': 220, 'loongarch64': 220, 'ppc64le': 120}
NAMESPACES = 0x20000 | 0x8000000 | 0x10000000 | 0x20000000  # mounts, IPC, users, process ids
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND = 1, 2, 4, 8, 32, 4096
MS_REC_PRIVATE = 0x4000 | 0x40000
CAPABILITY_VERSION_3 = 0x20080522
RUNS_MAX = 'size=64k,mode=700'  # of the tmpfs over the folder of all runs, in which a child only sees its own


def call(name, *arguments):
    if getattr(LIBC, name)(*arguments):
        error = ctypes.get_errno()
        raise OSError(error, f'{name}: {os.strerror(error)}')


def mount(source, target, kind=None, flags=0, data=None):
    call('mount', *(text and text.encode() for text in (source, target, kind)), ctypes.c_ulong(flags),
         data and data.encode())


def fork():
    """Like os.fork, but the child is the first process in new namespaces."""
    python = ctypes.pythonapi
    python.PyOS_BeforeFork()
    pid = PYTHON.syscall(ctypes.c_long(CLONE_CALLS[platform.machine()]), ctypes.c_ulong(NAMESPACES | signal.SIGCHLD),
                         None, None, None, None)
    if pid == 0:
        python.PyOS_AfterFork_Child()
        return 0
    error = ctypes.get_errno()
    python.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(error, f'clone: {os.strerror(error)}')
    return pid


def keep_user(user, group):
    """Maps only the current user and group into the namespace."""
    for name, text in (('setgroups', 'deny'), ('uid_map', f'{user} {user} 1'), ('gid_map', f'{group} {group} 1')):
        with open(f'/proc/self/{name}', 'w', encoding='ascii') as file:
            file.write(text)


def refuse_user_namespaces():
    """Keeps the child from creating further ones, in which it would have capabilities. Only with the capabilities that
    drop_capabilities() takes could it undo this."""
    with open('/proc/sys/user/max_user_namespaces', 'w', encoding='ascii') as file:
        file.write('0')


def hide_others():
    """Hides other processes and shared temporary files."""
    mount(None, '/', None, MS_REC_PRIVATE)
    for shared in ('/tmp', '/dev/shm'):
        mount(None, shared, None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)
    try:
        mount('proc', '/proc', 'proc', MS_NOSUID | MS_NODEV | MS_NOEXEC)
    except PermissionError:  # as root: bubblewrap has mounted over parts of /proc
        mount('tmpfs', '/proc', 'tmpfs', MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, 'size=4k')


def keep_only(folder, runs):
    """Hides all runs' folders except this run's, or a folder in it."""
    os.chdir(folder)
    mount('tmpfs', runs, 'tmpfs', MS_NOSUID | MS_NODEV, RUNS_MAX)
    os.makedirs(folder, 0o700)
    mount('.', folder, None, MS_BIND)
    mount(None, runs, None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)
    os.chdir(folder)


def drop_capabilities():
    """Drops the capabilities in the new namespaces, with which a child could undo all of this."""
    call('capset', (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0), (ctypes.c_uint32 * 6)())


def check():
    """Whether namespaces can be created inside the sandbox: some systems only allow bubblewrap to do so."""
    user, group = os.getuid(), os.getgid()
    try:
        pid = fork()
    except BlockingIOError:  # too many processes at the moment
        raise
    except (OSError, KeyError):
        return False
    if pid == 0:
        code = 1
        try:
            keep_user(user, group)
            refuse_user_namespaces()
            hide_others()
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(pid, 0)[1] == 0
