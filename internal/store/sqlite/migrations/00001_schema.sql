-- +goose Up

-- One file holds the mirror (runs, tasks, run_events, sweeper), which may be
-- emptied and rebuilt, and the kept data, which may not. Times are text in UTC
-- with six decimals, so that they sort as they are and SQLite's date functions
-- read them; lists are JSON; decimals are text, exact; null counts are unknown,
-- which is not zero. Keys begin with the tenant.

-- record is the whole record as JSON, exact; listing is the record without
-- texts over 1 KiB; the other columns are for filters and dashboards.
create table runs (
  tenant_id                text not null,
  run_id                   text not null,
  principal_id             text,
  status                   text not null,
  execution_state          text,
  degraded                 integer not null,
  degradation_reasons      text,
  temporal_run_id          text not null,
  last_event_id            integer not null,
  builder_version          integer not null,
  created_at               text not null,
  started_at               text,
  updated_at               text,
  finished_at              text,
  request_summary          text,
  request_sha256           text,
  request_text_sha256      text,
  request_text_size        integer not null,
  request_attachments      text,
  chain_name               text,
  chain_version            text,
  plan_rationale           text,
  worker_backend           text,
  host_role                text,
  requested_model          text,
  selected_provider        text,
  selected_model           text,
  resolution_source        text,
  semantics                text,
  warnings                 text,
  rejected_signals         text,
  more_rejected_signals    integer not null,
  raw_bytes                integer not null,
  input_tokens             integer,
  cached_input_tokens      integer,
  cache_write_input_tokens integer,
  output_tokens            integer,
  reasoning_tokens         integer,
  cost_usd                 text,
  unpriced_calls           integer not null,
  calls_uncertain          integer not null,
  max_cost_usd             text,
  max_tokens               integer,
  prompt_format            integer not null,
  error_code               text,
  error_message            text,
  cancel_requested         integer not null,
  is_terminal              integer not null,
  listing                  blob not null,
  record                   blob not null,
  primary key (tenant_id, run_id)
);
create index runs_by_time on runs (tenant_id, created_at desc, run_id desc);
create index runs_by_status on runs (tenant_id, status, created_at desc, run_id desc);
create index runs_by_chain on runs (tenant_id, chain_name, created_at desc, run_id desc);
create index runs_by_backend on runs (tenant_id, worker_backend, created_at desc, run_id desc);
create index runs_open on runs (tenant_id, run_id) where not is_terminal;
create index runs_by_builder on runs (builder_version, tenant_id, run_id);

create table tasks (
  tenant_id                text not null,
  run_id                   text not null,
  id                       text not null,
  seq                      integer not null,
  specialist_name          text,
  specialist_id            text,
  specialist_version       text,
  needs                    text,
  tools                    text,
  reason                   text,
  backend                  text,
  status                   text not null,
  skip_reason              text,
  executor                 text,
  execution_state          text,
  degradations             text,
  prompt_version           text,
  prompt_sha256            text,
  prompt_truncated         integer not null,
  output                   text,
  output_sha256            text,
  output_size              integer not null,
  output_kept              integer not null,
  reasoning                text,
  reasoning_sha256         text,
  reasoning_size           integer not null,
  truncated                integer not null,
  error_code               text,
  error_class              text,
  error_message            text,
  error_remediation        text,
  error_attempts           integer not null,
  error_retry_after_ms     integer,
  parked_for               text,
  resume_at                text,
  provenance_source        text,
  provider                 text,
  model                    text,
  provider_meta            text,
  warnings                 text,
  input_tokens             integer,
  cached_input_tokens      integer,
  cache_write_input_tokens integer,
  output_tokens            integer,
  reasoning_tokens         integer,
  cost_usd                 text,
  unpriced_calls           integer not null,
  calls_uncertain          integer not null,
  host_role                text,
  host_client_name         text,
  host_client_version      text,
  host_session             text,
  host_model_source        text,
  host_claimed_by          text,
  host_claim_token         integer not null,
  host_claim_expires_at    text,
  host_awaiting_since      text,
  host_result_sha256       text,
  host_submission_id       text,
  charge_cost_usd          text,
  charge_tokens            integer not null,
  calls                    integer not null,
  started_at               text,
  finished_at              text,
  primary key (tenant_id, run_id, seq)
) without rowid;

-- event_id is the event's place in Temporal's history, 0 for what followed from
-- others; body is the event as JSON.
create table run_events (
  tenant_id text not null,
  run_id    text not null,
  seq       integer not null,
  event_id  integer not null,
  at        text,
  type      text not null,
  task_id   text,
  body      blob not null,
  primary key (tenant_id, run_id, seq)
) without rowid;

-- One row: up to which close time closed runs are known to be in the mirror.
create table sweeper (
  id        integer primary key check (id = 1),
  watermark text not null
);

-- Who does a job that one process at a time does.
create table leases (
  name   text primary key,
  holder text not null,
  until  text not null
) without rowid;

-- Kept data from here on.

create table contents (
  tenant_id  text not null,
  sha256     text not null,
  size       integer not null,
  body       blob not null,
  created_at text not null default (strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')),
  primary key (tenant_id, sha256)
);

-- One row for each HTTP request for a call: inserted as started before the
-- request, closed once. source is the execution that made the request.
create table model_calls (
  tenant_id                text not null,
  run_id                   text not null,
  task_id                  text not null,
  call                     integer not null,
  attempt                  integer not null,
  source                   text not null,
  kind                     text not null,
  idempotency_class        text not null,
  provider                 text not null,
  model                    text not null,
  prompt_sha256            text not null,
  price_id                 text,
  state                    text not null
    check (state in ('started', 'answered', 'failed', 'abandoned', 'uncertain')),
  class                    text not null,
  request_id               text not null,
  started_at               text,
  finished_at              text,
  input_tokens             integer,
  cached_input_tokens      integer,
  cache_write_input_tokens integer,
  output_tokens            integer,
  reasoning_tokens         integer,
  cost_usd                 text,
  unpriced_calls           integer not null,
  calls_uncertain          integer not null,
  primary key (tenant_id, run_id, task_id, call, attempt),
  unique (tenant_id, source)
);
create index model_calls_by_time on model_calls (tenant_id, started_at);

-- The first stored answer of each call. Never updated.
create table call_answers (
  tenant_id     text not null,
  run_id        text not null,
  task_id       text not null,
  call          integer not null,
  prompt_sha256 text not null,
  body          blob not null,
  stored_at     text not null,
  primary key (tenant_id, run_id, task_id, call, prompt_sha256)
);

-- US dollars per million tokens. A null part costs what the whole does: cached and
-- cache-write like input, reasoning like output. Rows are only inserted.
create table model_prices (
  tenant_id                         text not null,
  price_id                          text not null,
  provider                          text not null,
  model                             text not null,
  input_usd_per_million             text not null,
  cached_input_usd_per_million      text,
  cache_write_input_usd_per_million text,
  output_usd_per_million            text not null,
  reasoning_usd_per_million         text,
  recorded_at                       text not null,
  primary key (tenant_id, price_id)
);
-- +goose StatementBegin
create trigger model_prices_stay before update on model_prices
begin
  select raise(abort, 'prices are only added: calls point at them');
end;
-- +goose StatementEnd

create table specialists (
  tenant_id  text not null,
  name       text not null,
  version    text not null,
  id         text not null,
  definition blob not null,
  created_at text not null default (strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')),
  primary key (tenant_id, name, version)
);

create table run_history (
  tenant_id       text not null,
  run_id          text not null,
  temporal_run_id text not null,
  last_event_id   integer not null,
  closed_at       text not null,
  codec           text not null,
  history         blob not null,
  archived_at     text not null default (strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')),
  primary key (tenant_id, run_id, temporal_run_id)
);
