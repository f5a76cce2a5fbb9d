/**
 * Settings of the embedded server: durable, small, quiet. Everything else keeps PostgreSQL's default (fsync,
 * full_page_writes and synchronous_commit are on).
 */

const SETTINGS: Readonly<Record<string, string>> = {
  // Reachable from this machine only, with a password. No Unix socket: its path is limited to about 100 bytes.
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  // Up to 16 per process (pool 10, channel 1, queue 4, lease 1), for ten processes on one database. Without a free
  // one, requests fail with 500; an unused one costs some kilobytes.
  max_connections: "200",
  // Working set of one machine's ledger and queue; the kernel caches the rest.
  shared_buffers: "32MB",
  // Keeps less WAL on disk, and limits crash recovery to a few seconds.
  max_wal_size: "256MB",
  min_wal_size: "32MB",
  // No replicas and no logical decoding: less WAL, one background process fewer.
  wal_level: "minimal",
  max_wal_senders: "0",
  max_logical_replication_workers: "0",
  // Three I/O processes fewer; reads here are small and cached.
  io_method: "sync",
  // Small queries do not benefit from parallel workers or JIT compilation.
  max_parallel_workers_per_gather: "0",
  jit: "off",
  // A small log without values of rows.
  log_checkpoints: "off",
  log_error_verbosity: "terse",
  timezone: "UTC",
  log_timezone: "UTC"
};

/** Command line of the server; `overrides` take precedence. */
export const serverArguments = (
  cluster: string,
  port: number,
  overrides: Readonly<Record<string, string>>
): ReadonlyArray<string> => [
  // Postmaster.ts parses the command line of a running server: keep -D first and -p second.
  "-D",
  cluster,
  "-p",
  String(port),
  ...Object.entries({ ...SETTINGS, ...overrides }).flatMap(([name, value]) => ["-c", `${name}=${value}`])
];
