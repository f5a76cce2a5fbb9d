"""The children of the fork server: one per request, ended with the server, in separate namespaces."""
import ctypes
import json
import os
import select
import signal
import sys
import time

import child_namespaces

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


def signal_group(pid, number):
    try:
        os.killpg(pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def confined_child(requests, work, runs, user, group):
    """A child created in advance, which executes one request."""
    child_namespaces.keep_user(user, group)
    child_namespaces.hide_others()
    with open(requests, encoding='utf-8') as lines:
        line = lines.readline()
    if not line:
        return 1
    request = json.loads(line)
    child_namespaces.keep_only(request['folder'], runs)
    child_namespaces.drop_capabilities()
    die_with_parent()  # again, because a change of capabilities may reset it
    return work(request)


class Server:
    def __init__(self, work, prepare, runs):
        self.work = work  # executes a request in a child; returns the exit code
        self.prepare = prepare  # called with each request after its child has started, to prepare for later requests
        self.runs = runs  # folder of all runs, in a sandbox; else None
        self.running = {}  # request id by pid
        self.doomed = {}  # time of SIGKILL by pid
        self.spares = {}  # pipe to each confined child that waits for a request, by pid
        self.spares_lost = 0

    def fork(self, make, work):
        """Returns the pid of a child that executes the work and exits."""
        server_pid, pid = os.getpid(), make()
        if pid == 0:
            code = 1
            try:
                os.setpgid(0, 0)
                signal.set_wakeup_fd(-1)
                for spare in self.spares.values():
                    os.close(spare)
                code = work() if become_child(server_pid) else 1
            finally:
                os._exit(code)
        try:
            os.setpgid(pid, pid)  # on both sides, so that a cancel never finds the child outside its group
        except (PermissionError, ProcessLookupError):
            pass
        return pid

    def make_spare(self):
        requests, spare = os.pipe()
        user, group = os.getuid(), os.getgid()

        def work():
            os.close(spare)
            return confined_child(requests, self.work, self.runs, user, group)
        pid = self.fork(child_namespaces.fork, work)
        os.close(requests)
        self.spares[pid] = spare

    def make_spares(self):
        """Creates spare children while idle, because creating one takes a few milliseconds."""
        while self.runs is not None and not self.running and len(self.spares) < SPARES:
            self.make_spare()

    def start(self, request):
        if self.runs is None:
            pid = self.fork(os.fork, lambda: self.work(request))
        else:
            if not self.spares:
                self.make_spare()
            pid, spare = self.spares.popitem()
            try:
                os.write(spare, (json.dumps(request) + '\n').encode())
            except BrokenPipeError:
                pass  # the child has died, which reap() reports
            os.close(spare)
        self.running[pid] = request['id']
        self.prepare(request)

    def cancel(self, request_id):
        for pid, running in self.running.items():
            if running == request_id and pid not in self.doomed:
                # The first process of a PID namespace ignores SIGTERM; killing it ends all others.
                signal_group(pid, signal.SIGTERM if self.runs is None else signal.SIGKILL)
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
            request_id = self.running.pop(pid, None)
            if request_id is not None:
                say({'id': request_id, 'exit': os.waitstatus_to_exitcode(status)})

    def kill_overdue(self):
        now = time.monotonic()
        for pid, deadline in self.doomed.items():
            if now >= deadline:
                signal_group(pid, signal.SIGKILL)

    def end(self):
        for pid in (*self.running, *self.spares):
            signal_group(pid, signal.SIGKILL)
        os._exit(0)

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
            readable, _, _ = select.select([0, wake_read], [], [], 0.2 if self.doomed else None)
            if wake_read in readable:
                os.read(wake_read, 512)
                self.reap()
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
