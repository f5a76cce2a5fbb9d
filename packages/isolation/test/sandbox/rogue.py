"""A rogue program: attempts what a program that Winnow runs must not be able to do.

Prints one line of JSON per attempt. Its argument is JSON: the attempts to make, and their targets outside.
"""
import ctypes
import glob
import json
import os
import socket
import sys
import time

OUTSIDE = json.loads(sys.argv[1])
MARK = OUTSIDE['mark']
SECONDS = 2


def tcp(host, port):
    socket.create_connection((host, port), SECONDS).sendall(b'SET pwned yes\r\n')
    return True


def udp(host, port):
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'pwned', (host, port))
    return True


def unix(address):
    with socket.socket(socket.AF_UNIX) as out:
        out.connect(address)
        out.sendall(b'pwned')
    return True


def read(path):
    with open(path, 'rb') as file:
        return MARK.encode() in file.read(1_000_000)


def write(path):
    with open(path, 'wb') as file:
        file.write(b'pwned')
    return True


def environments():
    return any(read_or_not(path) for path in glob.glob('/proc/[0-9]*/environ'))


def read_or_not(path):
    try:
        return read(path)
    except OSError:
        return False


def ptrace():
    return ctypes.CDLL(None, use_errno=True).ptrace(0x4206, OUTSIDE['pid'], None, None) == 0  # PTRACE_SEIZE


def see(pid):
    os.kill(pid, 0)
    return True


def outlive():
    """Leaves a process behind. True means that it was started; the test checks whether it survives."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for descriptor in range(3):
                os.close(descriptor)
            os.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(600)', MARK])
        os._exit(0)
    os.wait()
    return True


def fill(folder, size):
    written = 0
    block = bytes(1_048_576)
    for number in range(64):
        with open(f'{folder}/fill.{number}', 'wb') as file:
            for _ in range(16):
                written += file.write(block)
                if written > size:
                    return True
    return False


def take_memory():
    return len(bytearray(b'x') * OUTSIDE['memoryBytes']) > 0


def multiply():
    for _ in range(10_000):
        if os.fork() == 0:
            time.sleep(20)
            os._exit(0)
    return True


def mount_anything():
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.mount(b'tmpfs', b'/usr', b'tmpfs', 0, None) == 0


def make_user_namespace():
    return ctypes.CDLL(None, use_errno=True).unshare(0x10000000) == 0  # CLONE_NEWUSER


def may_write(path):
    """Opens it only, because writing would change this machine."""
    os.close(os.open(path, os.O_WRONLY))
    return True


ATTEMPTS = {
    'tcp to loopback': lambda: tcp('127.0.0.1', OUTSIDE['tcpPort']),
    'tcp to loopback over IPv6': lambda: tcp('::1', OUTSIDE['tcpPort']),
    'tcp to a private address': lambda: tcp('10.255.255.1', 80),
    'tcp to the metadata service': lambda: tcp('169.254.169.254', 80),
    'tcp to a public address': lambda: tcp('93.184.216.34', 80),
    'udp to loopback': lambda: udp('127.0.0.1', OUTSIDE['udpPort']),
    'udp to a name server': lambda: udp('8.8.8.8', 53),
    'a name looked up': lambda: bool(socket.getaddrinfo('example.com', 80)),
    'a raw socket': lambda: bool(socket.socket(socket.AF_PACKET, socket.SOCK_RAW)),
    'an abstract Unix socket': lambda: unix('\0' + OUTSIDE['abstractSocket']),
    'the socket of the database': lambda: unix(OUTSIDE['databaseSocket']),
    'a file of the data folder': lambda: read(OUTSIDE['adminTokenFile']),
    'a file of the server\'s home': lambda: bool(os.listdir(OUTSIDE['home'])),
    'the folder of another run': lambda: read(OUTSIDE['otherRunFile']),
    'writing into another run': lambda: write(OUTSIDE['otherRunFile'] + '.new'),
    'the passwords of the system': lambda: bool(open('/etc/shadow', 'rb').read()),
    'the environment of the server': lambda: read(f'/proc/{OUTSIDE["pid"]}/environ'),
    'any environment': environments,
    'a descriptor of the server': lambda: bool(os.listdir(f'/proc/{OUTSIDE["pid"]}/fd')),
    'a signal to the server': lambda: see(OUTSIDE['pid']),
    'ptrace of the server': ptrace,
    'writing to the system': lambda: write('/usr/lib/pwned'),
    'writing to the root': lambda: write('/pwned'),
    'writing to a device folder': lambda: write('/dev/pwned'),
    'a mount': mount_anything,
    'a user namespace': make_user_namespace,
    'a program for the kernel to run': lambda: may_write('/proc/sys/kernel/core_pattern'),
    'a setting of the kernel': lambda: may_write('/proc/sys/vm/drop_caches'),
    'the limit of user namespaces': lambda: may_write('/proc/sys/user/max_user_namespaces'),
    'filling temporary files': lambda: fill('/tmp', OUTSIDE['tmpBytes']),
    'filling shared memory': lambda: fill('/dev/shm', OUTSIDE['tmpBytes']),
    'a file beyond its limit': lambda: os.posix_fallocate(
        os.open('large', os.O_CREAT | os.O_WRONLY), 0, OUTSIDE['fileBytes']) is None,
    'memory beyond its limit': take_memory,
    'ten thousand processes': multiply,
    'outliving its run': outlive,
}


def attempt(name):
    try:
        return {'attempt': name, 'got': bool(ATTEMPTS[name]()), 'why': ''}
    except BaseException as error:  # also MemoryError and the failures of child processes
        return {'attempt': name, 'got': False, 'why': f'{type(error).__name__}: {error}'[:200]}


def main():
    import signal
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for name in OUTSIDE['attempts']:
        reads, writes = os.pipe()
        pid = os.fork()  # each attempt has the full limits of a process
        if pid == 0:
            os.write(writes, (json.dumps(attempt(name)) + '\n').encode())
            os._exit(0)
        os.close(writes)
        sys.stdout.write(os.read(reads, 65_536).decode() or json.dumps({'attempt': name, 'got': False, 'why': 'killed'}) + '\n')
        sys.stdout.flush()
        os.waitpid(pid, 0)


main()
