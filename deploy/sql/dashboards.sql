-- A role for dashboards: it reads the mirror and its views, of all tenants, and the
-- ledger of calls, and nothing that holds a text of a run beyond the mirror's own
-- columns. Run it once as the owner of the schemas, after `tutti migrate`:
--
--   psql "$DATABASE_URL" -f deploy/sql/dashboards.sql
--
-- then give the role to whoever may look: grant tutti_dashboards to grafana;
-- It may be run again, and has to be after `drop schema tutti cascade`.
do $$
begin
  if not exists (select from pg_roles where rolname = 'tutti_dashboards') then
    create role tutti_dashboards nologin;
  end if;
exception when duplicate_object or unique_violation then
  null; -- Somebody made it at the same time.
end $$;
grant usage on schema tutti, tutti_kept to tutti_dashboards;
grant select on all tables in schema tutti to tutti_dashboards;
alter default privileges in schema tutti grant select on tables to tutti_dashboards;
grant select on tutti_kept.model_calls, tutti_kept.model_prices, tutti_kept.call_costs to tutti_dashboards;
