-- Which processes listen to what the others tell (DatabaseChannel): nothing is sent where nobody does. Not logged:
-- a listener says so again within seconds.
create unlogged table winnow.listener (
  process text collate "C" not null,
  topic text collate "C" not null,
  until timestamptz not null,
  primary key (process, topic)
);
