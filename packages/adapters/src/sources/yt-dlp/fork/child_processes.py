"""The children of the fork server: one per request, ended with the server, in separate namespaces.

A child has no descriptor of the server but its own pipe, so that it can neither speak for other requests nor read them.
Tests: rogueYtDlp.test.ts.
"""
import ctypes
import json
import math
import os
import select
import signal
import sys
import time

import child_namespaces
import child_reports

KILL_AFTER_SECONDS = 2  # between SIGTERM and SIGKILL of a child's group
PR_SET_PDEATHSIG = 1
SPARES = 2  # confined children that wait for a request
SPARES_LOST_MAX = 20

LIBC = ctypes.CDLL(None) if sys.platform == 'linux' else None


def die_with_parent():
    """Linux only: the kernel kills this process when its parent dies, whatever kills the parent."""
    if sys.platform == 'linux':
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def become_child(server_pid):
    """False if the server has exited meanwhile; in separate namespaces, its process id is 0."""
    for number in (signal.SIGTERM, signal.SIGCHLD, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    die_with_parent()
    return os.getppid() in (server_pid, 0)


def say(message):
    os.write(1, (json.dumps(message) + '\n').encode())


def refuse(why):
    """Before it is ready: the server cannot run this yt-dlp here, however often it starts. Other errors may pass."""
    say({'ready': False, 'why': why})
    raise SystemExit(why)


def signal_group(pid, number):
    try:
        os.killpg(pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def signal_child(pid, number):
    """Signals a child that has not been reaped: its group, and itself, because it may not have created the group yet."""
    signal_group(pid, number)
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def keep_descriptors(kept):
    """Closes all others that come from the server, whatever they are."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    for descriptor in map(int, os.listdir('/dev/fd')):
        if descriptor > 2 and descriptor not in kept:
            try:
                os.close(descriptor)
            except OSError:
                pass  # the one that listed them


def confined_child(requests, report, work, runs, user, group):
    """A child created in advance, which executes one request."""
    child_namespaces.keep_user(user, group)
    child_namespaces.refuse_user_namespaces()
    child_namespaces.hide_others()
    with open(requests, encoding='utf-8') as lines:
        line = lines.readline()
    if not line:
        return 1
    request = json.loads(line)
    child_namespaces.keep_only(request['folder'], runs)
    child_namespaces.drop_capabilities()
    die_with_parent()  # again, because a change of capabilities may reset it
    return work(request, report)


class Server:
    def __init__(self, work, prepare, runs):
        self.work = work  # executes a request in a child that reports to a descriptor; returns the exit code
        self.prepare = prepare  # called with each request after its child has started, to prepare for later requests
        self.runs = runs  # folder of all runs, in a sandbox; else None
        self.running = {}  # request id by pid
        self.reports = {}  # what a child reports, by pid
        self.doomed = {}  # time of SIGKILL by pid
        self.spares = {}  # pipe to each confined child that waits for a request, by pid
        self.spares_lost = 0

    def fork(self, make, work, kept=()):
        """Returns the pid of a child that executes the work with the descriptor of its reports, and exits."""
        server_pid = os.getpid()
        reads, report = os.pipe()
        try:
            pid = make()
        except OSError:
            os.close(reads)
            os.close(report)
            raise
        if pid == 0:
            code = 1
            try:
                # A session leader cannot change its process group. If the first process of a PID namespace were in the
                # group of a dead one, the kernel could not end the namespace, and would never report its exit.
                os.setsid()
                signal.set_wakeup_fd(-1)
                keep_descriptors({report, *kept})
                code = work(report) if become_child(server_pid) else 1
            finally:
                os._exit(code)
        os.close(report)
        self.reports[pid] = child_reports.Reports(reads)
        return pid

    def make_spare(self):
        requests, spare = os.pipe()
        user, group = os.getuid(), os.getgid()

        def work(report):
            return confined_child(requests, report, self.work, self.runs, user, group)
        try:
            pid = self.fork(child_namespaces.fork, work, (requests,))
        except OSError:
            os.close(spare)
            raise
        finally:
            os.close(requests)
        self.spares[pid] = spare

    def make_spares(self):
        """Creates spare children while idle, because creating one takes a few milliseconds."""
        try:
            while self.runs is not None and not self.running and len(self.spares) < SPARES:
                self.make_spare()
        except OSError:
            pass  # too many processes at the moment; the next request needs one, and reports this

    def take_spare(self, request):
        if not self.spares:
            self.make_spare()
        pid, spare = self.spares.popitem()
        try:
            os.write(spare, (json.dumps(request) + '\n').encode())
        except BrokenPipeError:
            pass  # the child has died, which reap() reports
        os.close(spare)
        return pid

    def start(self, request):
        try:
            pid = self.take_spare(request) if self.runs is not None else \
                self.fork(os.fork, lambda report: self.work(request, report))
        except OSError:  # too many processes or descriptors: ends this request, not the others
            return say({'id': request['id'], 'exit': 1})
        self.running[pid] = request['id']
        self.prepare(request)

    def pass_on(self, pid):
        progress = self.reports[pid].read()
        if progress is not None and pid in self.running:
            say({'id': self.running[pid], 'progress': progress})

    def cancel(self, request_id):
        for pid, running in self.running.items():
            if running == request_id and pid not in self.doomed:
                # The first process of a PID namespace ignores SIGTERM; killing it ends all others.
                signal_child(pid, signal.SIGTERM if self.runs is None else signal.SIGKILL)
                self.doomed[pid] = time.monotonic() + KILL_AFTER_SECONDS

    def reap(self):
        while self.running or self.spares:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            signal_group(pid, signal.SIGKILL)  # ends everything that the child started
            self.doomed.pop(pid, None)
            if pid in self.spares:
                os.close(self.spares.pop(pid))
                self.spares_lost += 1
            if pid in self.reports:
                self.pass_on(pid)  # without waiting for others that hold the pipe
                self.reports.pop(pid).close()
            request_id = self.running.pop(pid, None)
            if request_id is not None:
                say({'id': request_id, 'exit': os.waitstatus_to_exitcode(status)})

    def kill_overdue(self):
        now = time.monotonic()
        for pid, deadline in self.doomed.items():
            if now >= deadline:
                signal_child(pid, signal.SIGKILL)

    def end(self):
        for pid in (*self.running, *self.spares):
            signal_child(pid, signal.SIGKILL)
        os._exit(0)

    def wait_for(self, descriptors):
        """Those of the descriptors and of the children's pipes that can be read."""
        now = time.monotonic()
        open_reports = [reports for reports in self.reports.values() if reports.descriptor is not None]
        waits = [reports.wait_seconds(now) for reports in open_reports] + [0.2 for _ in self.doomed]
        poll = select.poll()  # unlike select(), for any number of descriptors
        for descriptor in (*descriptors, *(each.descriptor for each in open_reports if not each.wait_seconds(now))):
            poll.register(descriptor, select.POLLIN)
        timeout = min((wait for wait in waits if wait > 0), default=None)
        return {descriptor for descriptor, _ in poll.poll(None if timeout is None else math.ceil(timeout * 1000))}

    def serve(self):
        wake_read, wake_write = os.pipe()
        os.set_blocking(wake_write, False)
        signal.set_wakeup_fd(wake_write)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, lambda *_: self.end())
        pending = b''
        while True:
            if self.spares_lost > SPARES_LOST_MAX:
                self.end()  # otherwise spares would be created one after another
            self.make_spares()
            readable = self.wait_for((0, wake_read))
            if wake_read in readable:
                os.read(wake_read, 512)
                self.reap()
            for pid in [pid for pid, reports in self.reports.items() if reports.descriptor in readable]:
                self.pass_on(pid)
            self.kill_overdue()
            if 0 not in readable:
                continue
            data = os.read(0, 65536)
            if not data:
                self.end()
            pending += data
            while b'\n' in pending:
                line, pending = pending.split(b'\n', 1)
                message = json.loads(line)
                self.cancel(message['cancel']) if 'cancel' in message else self.start(message)
