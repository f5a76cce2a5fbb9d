-- Files that come late: a process that was frozen while another took its run over goes on storing when it wakes.

-- When the files of a dead attempt were first removed, in the clock of the process that removed them.
alter table winnow.noted_files add column removed_at_ms bigint;

-- As in 0019, but those that were never removed come first, and it answers when the others were. It sorts all notes:
-- word of what is served is forgotten before, and what is left is few.
drop function winnow.left_files(integer);
create function winnow.left_files(p_limit integer)
returns table (extraction_id text, attempt integer, removed_at_ms bigint) language sql as $$
  with over as materialized (
      select n.extraction_id, n.attempt, n.removed_at_ms, n.noted_at, exists (
          select 1 from winnow.extraction e
          where e.id = n.extraction_id and e.status = 'complete'
            and winnow.serves_files(e.result, n.extraction_id, n.attempt)) or exists (
          select 1 from winnow.extraction e
          where e.cached_from = n.extraction_id and e.status = 'complete'
            and winnow.serves_files(e.result, n.extraction_id, n.attempt)) as is_served
      from winnow.noted_files n
      where not exists (
        select 1 from winnow.extraction e
        where e.id = n.extraction_id and e.status = 'running' and e.attempt = n.attempt)
      order by n.removed_at_ms nulls first, n.noted_at limit p_limit),
    forgotten as (
      delete from winnow.noted_files n using over o
      where o.is_served and n.extraction_id = o.extraction_id and n.attempt = o.attempt)
  select o.extraction_id, o.attempt, o.removed_at_ms from over o where not o.is_served
  order by o.removed_at_ms nulls first, o.noted_at
$$;
