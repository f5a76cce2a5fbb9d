"""Connects a sandboxed program to the proxy's Unix socket directly instead of through the relay's port. Other programs
that it starts use the relay. Tests: forkServer.test.ts."""
import errno
import os
import socket


def use(port, path):
    connect, setsockopt = socket.socket.connect, socket.socket.setsockopt
    proxy = ('127.0.0.1', port)

    def connect_at_once(self, address):
        if self.family != socket.AF_INET or address != proxy:
            return connect(self, address)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.connect(path)
            connection.settimeout(self.gettimeout())
            os.dup2(connection.fileno(), self.fileno(), inheritable=False)

    def set_what_applies(self, *arguments):
        try:
            return setsockopt(self, *arguments)
        except OSError as error:
            if error.errno != errno.EOPNOTSUPP:  # an option of TCP, which a Unix socket does not have
                raise

    socket.socket.connect, socket.socket.setsockopt = connect_at_once, set_what_applies
