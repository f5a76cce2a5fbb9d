"""The way to the proxy of a program in the sandbox: what it connects to the relay's port goes through the Unix socket
behind it at once. Other programs that it starts go through the relay."""
import errno
import os
import socket


def use(port, path):
    connect, setsockopt = socket.socket.connect, socket.socket.setsockopt
    proxy = ('127.0.0.1', port)

    def connect_at_once(self, address):
        if self.family != socket.AF_INET or address != proxy:
            return connect(self, address)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
            door.connect(path)
            door.settimeout(self.gettimeout())
            os.dup2(door.fileno(), self.fileno(), inheritable=False)

    def set_what_applies(self, *arguments):
        try:
            return setsockopt(self, *arguments)
        except OSError as error:
            if error.errno != errno.EOPNOTSUPP:  # an option of TCP
                raise

    socket.socket.connect, socket.socket.setsockopt = connect_at_once, set_what_applies
