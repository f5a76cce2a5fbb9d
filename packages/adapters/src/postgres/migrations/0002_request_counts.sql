-- Requests counted per account, bucket and minute. One row a bucket, whose window moves on in place, so
-- that old windows need no sweeping. Unlogged: a crash of the database empties it, which resets limits and
-- costs nothing else, and a request need not wait for the disk.

create unlogged table winnow.request_count (
  account_id text collate "C" not null,
  bucket text collate "C" not null,
  window_start_ms bigint not null,
  requests integer not null,
  primary key (account_id, bucket)
) with (fillfactor = 50);
