/** Covers only objects that are not Postgres's own, whose ids are lower. */
export const FINGERPRINT = `
  select md5(string_agg(line, '|' order by line)) from (
    select format('%s %s', oid, relname) as line from pg_class where oid >= 16384
    union all select format('%s %s %s %s %s', attrelid, attname, atttypid, attnotnull, atthasdef)
      from pg_attribute where attrelid >= 16384
    union all select format('%s %s %s %s', oid, conname, conrelid, convalidated)
      from pg_constraint where oid >= 16384
    union all select format('%s %s %s', oid, tgname, tgrelid) from pg_trigger where oid >= 16384
    union all select format('%s %s', oid, proname) from pg_proc where oid >= 16384
    union all select name from kysely_migration
  ) lines`;

/**
 * Truncating a table also truncates all that refer to it, nearly all, at a new file for each table and index: rows are
 * deleted instead, which leaves their room to a `truncate` once it is large. A role that is no superuser cannot
 * delete without regard to the order.
 */
export const EMPTY = `
  do $$ declare name text; is_filled boolean; used bigint := 0; filled text[] := '{}'; begin
    for name in select relname from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%'
        and pg_relation_size(oid) > 0 loop
      used := used + pg_relation_size(quote_ident(name)::regclass);
      execute format('select exists (select from %I)', name) into is_filled;
      if is_filled then filled := filled || quote_ident(name); end if;
    end loop;
    if filled = '{}' then return; end if;
    if used > 1000000 or current_setting('is_superuser') <> 'on' then
      execute format('truncate %s restart identity cascade', array_to_string(filled, ', '));
      return;
    end if;
    perform set_config('session_replication_role', 'replica', true);
    foreach name in array filled loop execute format('delete from %s', name); end loop;
    perform setval(format('%I.%I', schemaname, sequencename), start_value, false)
      from pg_sequences where last_value is not null;
  end $$`;
