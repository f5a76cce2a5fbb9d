-- The note of a delivery whose extraction was deleted, worded like the notes about endpoints. Every function that
-- writes the note keeps its latest definition, with only this text replaced.
do $$
declare
  definition text;
begin
  for definition in
    select pg_get_functiondef(p.oid) from pg_proc p
      where p.pronamespace = 'winnow'::regnamespace and p.prosrc like '%before this arrived.%'
  loop
    execute replace(definition, 'deleted before this arrived.', 'deleted before the delivery succeeded.');
  end loop;
end $$;
