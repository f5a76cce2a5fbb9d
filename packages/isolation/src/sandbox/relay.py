"""Relay of a sandbox: forwards connections to one port of its loopback interface to a Unix socket outside.

  relay.py PORT SOCKET program [argument ...]

Starts to listen, then replaces itself with the program; a child process relays. The child exits with the program,
because namespaces whose creator was killed exist as long as any of their processes.
"""
import _socket
import os
import sys

CHUNK_BYTES = 262_144
CONNECTIONS_MAX = 512  # the proxy admits 64 per run
BACKLOG = 128
PROGRAM_LOOK_SECONDS = 2


class Way:
    """One direction of a connection: buffers what was read but not yet written; reading pauses until it is written."""

    def __init__(self, source, sink):
        self.source, self.sink = source, sink
        self.waiting = memoryview(b'')
        self.ended = False


class Relay:
    def __init__(self, listener, path, program):
        self.listener, self.path, self.program = listener, path, program
        self.selector = selectors.DefaultSelector()
        self.ways = {}  # each direction by the socket it reads from; the opposite direction is that of its sink
        self.listening = False
        self.listen()

    def listen(self):
        wanted = len(self.ways) < 2 * CONNECTIONS_MAX
        if wanted and not self.listening:
            self.selector.register(self.listener, selectors.EVENT_READ)
        elif self.listening and not wanted:
            self.selector.unregister(self.listener)
        self.listening = wanted

    def accept(self):
        inner, _ = self.listener.accept()
        outer = socket.socket(socket.AF_UNIX)
        try:
            outer.connect(self.path)
        except OSError:
            inner.close()
            outer.close()
            return
        inner.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for source, sink in ((inner, outer), (outer, inner)):
            source.setblocking(False)
            self.ways[source] = Way(source, sink)
            self.selector.register(source, selectors.EVENT_READ)
        self.listen()

    def close(self, way):
        for end in (way.source, way.sink):
            if self.ways.pop(end, None) is not None:
                try:
                    self.selector.unregister(end)
                except KeyError:
                    pass
            end.close()
        self.listen()

    def watch(self, end):
        """Reads from a socket while its direction has room, and writes to it while the opposite direction has data."""
        way = self.ways[end]
        back = self.ways[way.sink]
        events = (0 if way.ended or way.waiting else selectors.EVENT_READ) | \
            (selectors.EVENT_WRITE if back.waiting else 0)
        known = self.selector.get_map().get(end)
        if known is None:
            if events:
                self.selector.register(end, events)
        elif not events:
            self.selector.unregister(end)
        elif known.events != events:
            self.selector.modify(end, events)

    def read(self, way):
        data = way.source.recv(CHUNK_BYTES)
        if not data:
            way.ended = True
        way.waiting = memoryview(data)
        self.write(way)

    def write(self, way):
        while way.waiting:
            try:
                way.waiting = way.waiting[way.sink.send(way.waiting):]
            except BlockingIOError:
                break
        if way.ended and not way.waiting:
            way.sink.shutdown(socket.SHUT_WR)
            if self.ways[way.sink].ended and not self.ways[way.sink].waiting:
                return self.close(way)
        self.watch(way.source)
        self.watch(way.sink)

    def serve(self):
        while os.getppid() == self.program:
            for key, events in self.selector.select(PROGRAM_LOOK_SECONDS):
                if key.fileobj is self.listener:
                    self.accept()
                    continue
                way = self.ways.get(key.fileobj)
                if way is None:
                    continue
                try:
                    if events & selectors.EVENT_WRITE:
                        self.write(self.ways[way.sink])
                    if events & selectors.EVENT_READ and way.source in self.ways:
                        self.read(way)
                except BlockingIOError:
                    pass
                except OSError:
                    if way.source in self.ways:
                        self.close(way)


def relay(descriptor, path, program):
    # Takes as long as starting the interpreter, so it is imported while the program starts.
    global selectors, socket
    import selectors
    import signal
    import socket
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    Relay(socket.socket(fileno=descriptor), path, program).serve()


def main():
    port, path, *command = sys.argv[1:]
    listener = _socket.socket()
    listener.setsockopt(_socket.SOL_SOCKET, _socket.SO_REUSEADDR, 1)
    listener.bind(('127.0.0.1', int(port)))
    listener.listen(BACKLOG)
    program = os.getpid()
    if os.fork() == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3, 64):
            if descriptor not in (null, listener.fileno()):
                try:
                    os.close(descriptor)
                except OSError:
                    pass
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        relay(listener.detach(), path, program)
        os._exit(0)
    listener.close()
    os.execvp(command[0], command)


main()
