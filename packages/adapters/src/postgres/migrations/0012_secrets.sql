-- Secrets that all processes of a server share, made by whichever needs one first. Expands only.

create table winnow.secret (
  name text collate "C" primary key,
  value text not null
);
