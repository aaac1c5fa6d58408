-- +goose Up

-- Kept data exists once and is backed up. Texts are bytea: Postgres text refuses
-- NUL, and a model's words are kept as they came. Keys are compared byte by byte
-- (collate "C"), and every key begins with the tenant.
create schema if not exists tutti_kept;
comment on schema tutti_kept is
  'Data of tutti that exists only here: back it up. Never touched by "tutti projection rebuild".';

create table tutti_kept.contents (
  tenant_id  text collate "C" not null,
  sha256     text collate "C" not null,
  size       bigint not null,
  body       bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, sha256)
);
comment on table tutti_kept.contents is
  'Texts too large to travel in a payload, once per tenant: convert_from(body, ''UTF8'') shows one.';

create table tutti_kept.model_prices (
  tenant_id                         text collate "C" not null,
  price_id                          text collate "C" not null,
  provider                          text collate "C" not null,
  model                             text collate "C" not null,
  input_usd_per_million             numeric not null,
  cached_input_usd_per_million      numeric,
  cache_write_input_usd_per_million numeric,
  output_usd_per_million            numeric not null,
  reasoning_usd_per_million         numeric,
  recorded_at                       timestamptz not null,
  primary key (tenant_id, price_id)
);
comment on table tutti_kept.model_prices is
  'US dollars per million tokens, every price that a call was billed with. Rows are only inserted.';
comment on column tutti_kept.model_prices.price_id is
  'Names its content: <provider>/<model>@<12 hex of the digest>. A changed figure is another row.';
comment on column tutti_kept.model_prices.cached_input_usd_per_million is
  'Null costs what input does, as does cache_write; a null reasoning costs what output does.';
-- +goose StatementBegin
create function tutti_kept.refuse_update() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are only added: others point at them', tg_table_name;
end $$;
-- +goose StatementEnd
create trigger model_prices_stay before update on tutti_kept.model_prices
  for each statement execute function tutti_kept.refuse_update();

create table tutti_kept.model_calls (
  tenant_id                text collate "C" not null,
  run_id                   text collate "C" not null,
  task_id                  text collate "C" not null,
  call                     bigint not null,
  attempt                  bigint not null,
  source                   text collate "C" not null,
  kind                     text not null,
  idempotency_class        text not null,
  provider                 text not null,
  model                    text not null,
  prompt_sha256            text not null,
  price_id                 text collate "C",
  state                    text not null
    check (state in ('started', 'answered', 'failed', 'abandoned', 'uncertain')),
  class                    text not null,
  request_id               text not null,
  started_at               timestamptz,
  finished_at              timestamptz,
  input_tokens             bigint,
  cached_input_tokens      bigint,
  cache_write_input_tokens bigint,
  output_tokens            bigint,
  reasoning_tokens         bigint,
  cost_usd                 numeric,
  unpriced_calls           bigint not null,
  calls_uncertain          bigint not null,
  primary key (tenant_id, run_id, task_id, call, attempt),
  unique (tenant_id, source),
  foreign key (tenant_id, price_id) references tutti_kept.model_prices
);
create index model_calls_by_time on tutti_kept.model_calls (tenant_id, started_at);
comment on table tutti_kept.model_calls is
  'One row for each HTTP request for a call: inserted as started before the request, closed once.';
comment on column tutti_kept.model_calls.source is
  'The execution that made the request: <temporal run ID>/<activity ID>/<activity attempt>.';
comment on column tutti_kept.model_calls.kind is 'model; tools with side effects will be next.';
comment on column tutti_kept.model_calls.idempotency_class is
  'What repeating the request means: at-least-once.';
comment on column tutti_kept.model_calls.input_tokens is
  'All that was read, cached and cache-write included. Null is unknown, which is not zero.';
comment on column tutti_kept.model_calls.output_tokens is
  'All that was written, reasoning included. Null is unknown, which is not zero.';
comment on column tutti_kept.model_calls.cost_usd is
  'Exact US dollars, as counted when the attempt ended; call_costs computes it again. Null is unknown.';
comment on column tutti_kept.model_calls.price_id is 'The price it was billed with. Null is unpriced, which is not free.';

create view tutti_kept.call_costs as
select c.tenant_id, c.run_id, c.task_id, c.call, c.attempt, c.provider, c.model, c.price_id, c.started_at,
  c.cost_usd as recorded_cost_usd,
  trim_scale(0.000001 * (
    greatest(c.input_tokens - coalesce(c.cached_input_tokens, 0) - coalesce(c.cache_write_input_tokens, 0), 0)
      * p.input_usd_per_million
    + coalesce(c.cached_input_tokens, 0) * coalesce(p.cached_input_usd_per_million, p.input_usd_per_million)
    + coalesce(c.cache_write_input_tokens, 0) * coalesce(p.cache_write_input_usd_per_million, p.input_usd_per_million)
    + greatest(c.output_tokens - coalesce(c.reasoning_tokens, 0), 0) * p.output_usd_per_million
    + coalesce(c.reasoning_tokens, 0) * coalesce(p.reasoning_usd_per_million, p.output_usd_per_million)
  )) as cost_usd
from tutti_kept.model_calls c
left join tutti_kept.model_prices p on p.tenant_id = c.tenant_id and p.price_id = c.price_id
where c.input_tokens is not null and c.output_tokens is not null;
comment on view tutti_kept.call_costs is
  'What each attempt of known usage cost, computed from its counts and its price row. Multiplying by a millionth keeps the decimals exact. Null is unpriced.';

create table tutti_kept.call_answers (
  tenant_id     text collate "C" not null,
  run_id        text collate "C" not null,
  task_id       text collate "C" not null,
  call          bigint not null,
  prompt_sha256 text collate "C" not null,
  body          bytea not null,
  stored_at     timestamptz not null,
  primary key (tenant_id, run_id, task_id, call, prompt_sha256)
);
comment on table tutti_kept.call_answers is
  'The first stored answer of each call, which is the answer for every worker. Never updated.';

create table tutti_kept.specialists (
  tenant_id  text collate "C" not null,
  name       text collate "C" not null,
  version    text collate "C" not null,
  id         text not null,
  definition bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, name, version)
);
create trigger specialists_stay before update on tutti_kept.specialists
  for each statement execute function tutti_kept.refuse_update();
comment on table tutti_kept.specialists is
  'Every version of a specialist that a run was submitted with. Rows are only inserted.';

create table tutti_kept.run_history (
  tenant_id       text collate "C" not null,
  run_id          text collate "C" not null,
  temporal_run_id text collate "C" not null,
  last_event_id   bigint not null,
  closed_at       timestamptz not null,
  codec           text not null,
  history         bytea not null,
  archived_at     timestamptz not null default now(),
  primary key (tenant_id, run_id, temporal_run_id)
);
comment on table tutti_kept.run_history is
  'Histories of closed runs, compressed, so that the mirror can be rebuilt after Temporal''s retention.';

-- What is left to say of the columns.
comment on column tutti_kept.call_answers.body is 'The bytes.';
comment on column tutti_kept.call_answers.call is 'Counts the calls of a task, from 1.';
comment on column tutti_kept.call_answers.prompt_sha256 is 'Digest of the prompt, system and user part.';
comment on column tutti_kept.call_answers.run_id is 'The run, which is the Temporal workflow ID.';
comment on column tutti_kept.call_answers.stored_at is 'When it was stored.';
comment on column tutti_kept.call_answers.task_id is 'The task, by its name in the run.';
comment on column tutti_kept.call_answers.tenant_id is 'Whose it is. Every key and filter begins with it.';
comment on column tutti_kept.call_costs.attempt is 'Counts the HTTP requests of a call, from 1.';
comment on column tutti_kept.call_costs.call is 'Counts the calls of a task, from 1.';
comment on column tutti_kept.call_costs.cost_usd is 'Exact US dollars. Null is unknown.';
comment on column tutti_kept.call_costs.model is 'The model that was asked.';
comment on column tutti_kept.call_costs.price_id is 'The price it was billed with.';
comment on column tutti_kept.call_costs.provider is 'The provider that was asked.';
comment on column tutti_kept.call_costs.recorded_cost_usd is 'The cost as counted when the attempt ended.';
comment on column tutti_kept.call_costs.run_id is 'The run, which is the Temporal workflow ID.';
comment on column tutti_kept.call_costs.started_at is 'When it was started.';
comment on column tutti_kept.call_costs.task_id is 'The task, by its name in the run.';
comment on column tutti_kept.call_costs.tenant_id is 'Whose it is. Every key and filter begins with it.';
comment on column tutti_kept.contents.body is 'The bytes.';
comment on column tutti_kept.contents.created_at is 'When it was made.';
comment on column tutti_kept.contents.sha256 is 'Digest of the text.';
comment on column tutti_kept.contents.size is 'Bytes of the text.';
comment on column tutti_kept.contents.tenant_id is 'Whose it is. Every key and filter begins with it.';
comment on column tutti_kept.model_calls.attempt is 'Counts the HTTP requests of a call, from 1.';
comment on column tutti_kept.model_calls.cache_write_input_tokens is 'Part of input_tokens that was written to the providers cache. Null is unknown.';
comment on column tutti_kept.model_calls.cached_input_tokens is 'Part of input_tokens that the provider had in its cache. Null is unknown.';
comment on column tutti_kept.model_calls.call is 'Counts the calls of a task, from 1.';
comment on column tutti_kept.model_calls.calls_uncertain is 'Calls that may have been paid for without an answer.';
comment on column tutti_kept.model_calls.class is 'How the attempt was judged; empty while open.';
comment on column tutti_kept.model_calls.finished_at is 'When it ended. Null while it has not.';
comment on column tutti_kept.model_calls.model is 'The model that was asked.';
comment on column tutti_kept.model_calls.prompt_sha256 is 'Digest of the prompt, system and user part.';
comment on column tutti_kept.model_calls.provider is 'The provider that was asked.';
comment on column tutti_kept.model_calls.reasoning_tokens is 'Part of output_tokens that was reasoning. Null is unknown.';
comment on column tutti_kept.model_calls.request_id is 'The providers ID of the request.';
comment on column tutti_kept.model_calls.run_id is 'The run, which is the Temporal workflow ID.';
comment on column tutti_kept.model_calls.started_at is 'When it was started.';
comment on column tutti_kept.model_calls.state is 'started, answered, failed, abandoned or uncertain.';
comment on column tutti_kept.model_calls.task_id is 'The task, by its name in the run.';
comment on column tutti_kept.model_calls.tenant_id is 'Whose it is. Every key and filter begins with it.';
comment on column tutti_kept.model_calls.unpriced_calls is 'Calls whose cost is unknown because their model has no price.';
comment on column tutti_kept.model_prices.cache_write_input_usd_per_million is 'Price of what is written to the cache. Null costs what input does.';
comment on column tutti_kept.model_prices.input_usd_per_million is 'Price of what is read.';
comment on column tutti_kept.model_prices.model is 'The model that was asked.';
comment on column tutti_kept.model_prices.output_usd_per_million is 'Price of what is written.';
comment on column tutti_kept.model_prices.provider is 'The provider that was asked.';
comment on column tutti_kept.model_prices.reasoning_usd_per_million is 'Price of reasoning. Null costs what output does.';
comment on column tutti_kept.model_prices.recorded_at is 'When the first call came with it.';
comment on column tutti_kept.model_prices.tenant_id is 'Whose it is. Every key and filter begins with it.';
comment on column tutti_kept.run_history.archived_at is 'When it was archived.';
comment on column tutti_kept.run_history.closed_at is 'When the run closed.';
comment on column tutti_kept.run_history.codec is 'How the history is written.';
comment on column tutti_kept.run_history.history is 'The history, packed.';
comment on column tutti_kept.run_history.last_event_id is 'The last event of the history.';
comment on column tutti_kept.run_history.run_id is 'The run, which is the Temporal workflow ID.';
comment on column tutti_kept.run_history.temporal_run_id is 'Temporals own run ID.';
comment on column tutti_kept.run_history.tenant_id is 'Whose it is. Every key and filter begins with it.';
comment on column tutti_kept.specialists.created_at is 'When it was made.';
comment on column tutti_kept.specialists.definition is 'The specialist as JSON: convert_from(definition, UTF8)::jsonb reads it.';
comment on column tutti_kept.specialists.id is 'Its name.';
comment on column tutti_kept.specialists.name is 'Its name.';
comment on column tutti_kept.specialists.tenant_id is 'Whose it is. Every key and filter begins with it.';
comment on column tutti_kept.specialists.version is 'The version, by content.';
