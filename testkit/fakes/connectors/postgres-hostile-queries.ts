export interface HostileQuery {
  readonly what: string;
  /** `{file}` and `{url}` stand for a server file and the database's own address. */
  readonly sql: string;
  /** Refused on entry: the server would execute it. */
  readonly isTold?: true;
}

/** Queries that try to do more than read. */
export const HOSTILE_QUERIES: readonly HostileQuery[] = [
  { what: "an insert", sql: "insert into orders (number) values (1)" },
  { what: "an update", sql: "update orders set total = 0" },
  { what: "a delete", sql: "delete from orders" },
  { what: "a truncate", sql: "truncate orders" },
  { what: "a drop", sql: "drop table orders" },
  { what: "a table made", sql: "create table stolen as select * from orders" },
  { what: "a select that makes a table", sql: "select * into stolen from orders" },
  { what: "a delete inside WITH", sql: "with gone as (delete from orders returning *) select * from gone" },
  {
    what: "an insert inside WITH, nested",
    sql: "with a as (select 1), b as (insert into orders (number) values (9) returning *) select * from b",
  },
  { what: "two statements", sql: "select 1; delete from orders" },
  { what: "a commit, then a write", sql: "select 1; commit; delete from orders" },
  { what: "a way out of the wrapping", sql: "select 1) t; commit; delete from orders; --" },
  { what: "a way out of the wrapping in one statement", sql: "select 1) t limit 1 --" },
  { what: "a way out behind a block comment", sql: "select 1 /* ) */ ) t; delete from orders; /*" },
  { what: "a write behind a text with backslashes", sql: "select '\\'; delete from orders; --'" },
  { what: "a write behind a dollar quote", sql: "select $a$ $b$ $a$; delete from orders; select $b$ $b$" },
  { what: "read only taken off", sql: "set transaction read write" },
  {
    what: "read only taken off by a function",
    sql: "select set_config('transaction_read_only', 'off', false)",
  },
  {
    what: "read only taken off for the next transaction",
    sql: "select set_config('default_transaction_read_only', 'off', false)",
  },
  { what: "COPY to a file", sql: "copy orders to '{file}'" },
  { what: "COPY to a program", sql: "copy orders to program 'touch {file}'" },
  { what: "a DO block", sql: "do $$ begin delete from orders; end $$" },
  { what: "a function that writes", sql: "select writes()" },
  { what: "a function that writes as its owner", sql: "select writes_as_owner()" },
  { what: "a sequence moved on", sql: "select nextval('numbers')" },
  { what: "a sequence set", sql: "select setval('numbers', 500)" },
  { what: "rows locked", sql: "select * from orders for update" },
  { what: "a large object made", sql: "select lo_create(0)" },
  { what: "a file brought in", sql: "select lo_import('/etc/passwd')" },
  { what: "a file read", sql: "select pg_read_file('/etc/passwd')" },
  { what: "a folder listed", sql: "select pg_ls_dir('/')" },
  { what: "a notification", sql: "select pg_notify('alarms', 'now')" },
  { what: "a lock that lasts", sql: "select pg_advisory_lock(1)" },
  {
    what: "another session ended",
    sql: "select pg_terminate_backend(pid) from pg_stat_activity where usename = current_user",
    isTold: true,
  },
  {
    what: "another session ended, by a quoted name",
    sql: 'select "pg_terminate_backend" /* hidden */ (pid) from pg_stat_activity where usename = current_user',
    isTold: true,
  },
  {
    what: "another session ended, by an escaped name",
    sql: 'select U&"pg_terminate\\005fbackend"(pid) from pg_stat_activity where usename = current_user',
    isTold: true,
  },
  { what: "another database", sql: "select dblink_exec('{url}', 'delete from orders')", isTold: true },
  {
    what: "a text that is SQL again",
    sql: "select query_to_xml('select dblink_exec(''{url}'', ''delete from orders'')', true, true, '')",
    isTold: true,
  },
  { what: "a server restarted", sql: "select pg_reload_conf()" },
  { what: "a password changed", sql: "alter role current_user password 'stolen'" },
  { what: "a role become another", sql: "set role postgres" },
  { what: "a view that hides a write", sql: "create view v as select writes()" },
  { what: "a long sleep", sql: "select pg_sleep(3600)" },
];
