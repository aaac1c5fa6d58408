-- The mirror as it is in this version of the binary. `tutti migrate` applies this
-- file after the migrations of schema tutti_kept, every time: the mirror may be
-- dropped (`drop schema tutti cascade`) and comes back empty, to be filled by
-- `tutti projection rebuild`. So each statement here can be repeated. A later
-- change of a table stands in this file and, as `alter table if exists`, in a
-- migration.
create schema if not exists tutti;
comment on schema tutti is
  'A copy of run records for lists and dashboards. It may be dropped: "tutti migrate" and "tutti projection rebuild" bring it back.';

create table if not exists tutti.runs (
  tenant_id                text collate "C" not null,
  run_id                   text collate "C" not null,
  principal_id             text,
  status                   text not null,
  execution_state          text,
  degraded                 boolean not null,
  degradation_reasons      text[],
  temporal_run_id          text collate "C" not null,
  last_event_id            bigint not null,
  builder_version          bigint not null,
  created_at               timestamptz not null,
  started_at               timestamptz,
  updated_at               timestamptz,
  finished_at              timestamptz,
  request_summary          text,
  request_sha256           text,
  request_text_sha256      text,
  request_text_size        bigint not null,
  request_attachments      jsonb,
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
  warnings                 text[],
  rejected_signals         jsonb,
  more_rejected_signals    bigint not null,
  raw_bytes                bigint not null,
  input_tokens             bigint,
  cached_input_tokens      bigint,
  cache_write_input_tokens bigint,
  output_tokens            bigint,
  reasoning_tokens         bigint,
  cost_usd                 numeric,
  unpriced_calls           bigint not null,
  calls_uncertain          bigint not null,
  max_cost_usd             numeric,
  max_tokens               bigint,
  prompt_format            bigint not null,
  error_code               text,
  error_message            text,
  cancel_requested         boolean not null,
  is_terminal              boolean not null,
  listing                  bytea not null,
  record                   bytea not null,
  primary key (tenant_id, run_id)
);

-- A list is one walk along one of these, in either of which the order is the
-- list's own. The sweep looks over all tenants, so its two do not begin with one.
create index if not exists runs_by_time
  on tutti.runs (tenant_id, created_at desc, run_id desc);
create index if not exists runs_by_status
  on tutti.runs (tenant_id, status, created_at desc, run_id desc);
create index if not exists runs_by_chain
  on tutti.runs (tenant_id, chain_name, created_at desc, run_id desc);
create index if not exists runs_by_backend
  on tutti.runs (tenant_id, worker_backend, created_at desc, run_id desc);
create index if not exists runs_open
  on tutti.runs (tenant_id, run_id) where not is_terminal;
create index if not exists runs_by_builder
  on tutti.runs (builder_version, tenant_id, run_id);

comment on table tutti.runs is
  'One row for each run: the fold of its Temporal history up to last_event_id. Columns are the record''s fields in snake_case.';
comment on column tutti.runs.run_id is 'The Temporal workflow ID.';
comment on column tutti.runs.temporal_run_id is 'Temporal''s own run ID: which history this is a fold of.';
comment on column tutti.runs.last_event_id is 'How much of that history is in the row.';
comment on column tutti.runs.builder_version is 'The version of the fold that made the row.';
comment on column tutti.runs.status is
  'planned, running, awaiting-host; terminal: completed, completed-prepare-only, completed-with-failures, degraded, cancelled, error.';
comment on column tutti.runs.execution_state is
  'What really happened: failed, degraded-executed, executed, awaiting-host, prepared. Null until something did.';
comment on column tutti.runs.created_at is 'When Temporal accepted the run; lists are ordered by it.';
comment on column tutti.runs.is_terminal is 'The run has ended and its status will not change.';
comment on column tutti.runs.input_tokens is
  'All that was read, cached and cache-write included. Null is unknown, which is not zero.';
comment on column tutti.runs.output_tokens is
  'All that was written, reasoning included. Null is unknown, which is not zero.';
comment on column tutti.runs.cost_usd is 'Exact US dollars. Null is unknown.';
comment on column tutti.runs.calls_uncertain is 'Calls that may have been paid for without an answer.';
comment on column tutti.runs.listing is
  'The record as JSON without texts over 1 KiB, for lists.';
comment on column tutti.runs.record is
  'The whole record as JSON, exact: convert_from(record, ''UTF8'')::jsonb reads it. It is bytea because jsonb refuses NUL in a text; the text columns show NUL as U+FFFD.';

create table if not exists tutti.tasks (
  tenant_id                text collate "C" not null,
  run_id                   text collate "C" not null,
  id                       text collate "C" not null,
  seq                      bigint not null,
  specialist_name          text,
  specialist_id            text,
  specialist_version       text,
  needs                    text[],
  reason                   text,
  backend                  text,
  status                   text not null,
  skip_reason              text,
  executor                 text,
  execution_state          text,
  degradations             jsonb,
  prompt_version           text,
  prompt_sha256            text,
  prompt_truncated         boolean not null,
  output                   text,
  output_sha256            text,
  output_size              bigint not null,
  output_kept              boolean not null,
  reasoning                text,
  reasoning_sha256         text,
  reasoning_size           bigint not null,
  truncated                boolean not null,
  error_code               text,
  error_class              text,
  error_message            text,
  error_remediation        text,
  error_attempts           bigint not null,
  error_retry_after_ms     bigint,
  parked_for               text,
  resume_at                timestamptz,
  provenance_source        text,
  provider                 text,
  model                    text,
  provider_meta            jsonb,
  warnings                 text[],
  input_tokens             bigint,
  cached_input_tokens      bigint,
  cache_write_input_tokens bigint,
  output_tokens            bigint,
  reasoning_tokens         bigint,
  cost_usd                 numeric,
  unpriced_calls           bigint not null,
  calls_uncertain          bigint not null,
  host_role                text,
  host_client_name         text,
  host_client_version      text,
  host_session             text,
  host_model_source        text,
  host_claimed_by          text,
  host_claim_token         bigint not null,
  host_claim_expires_at    timestamptz,
  host_awaiting_since      timestamptz,
  host_result_sha256       text,
  host_submission_id       text,
  charge_cost_usd          numeric,
  charge_tokens            bigint not null,
  calls                    bigint not null,
  started_at               timestamptz,
  finished_at              timestamptz,
  primary key (tenant_id, run_id, seq),
  foreign key (tenant_id, run_id) references tutti.runs on delete cascade
);
comment on table tutti.tasks is 'One row for each task of a run.';
comment on column tutti.tasks.seq is 'The task''s place in its run, from 1.';
comment on column tutti.tasks.status is
  'queued, running, awaiting-host, parked; terminal: prepared, done, failed, skipped, cancelled.';
comment on column tutti.tasks.executor is
  'Who executed it: inline:prepared, provider:<provider>:<model>, host:<role>, or where it failed.';
comment on column tutti.tasks.output is
  'A readable copy of an output that travels inline (up to 8 KiB), with NUL as U+FFFD. A larger one is in tutti_kept.contents by output_sha256.';
comment on column tutti.tasks.output_kept is 'The output is in tutti_kept.contents.';
comment on column tutti.tasks.output_sha256 is 'Of the exact output; with tenant_id the key of tutti_kept.contents.';
comment on column tutti.tasks.input_tokens is
  'All attempts of the task together. Null is unknown, which is not zero.';
comment on column tutti.tasks.cost_usd is 'Exact US dollars of all attempts together. Null is unknown.';

create table if not exists tutti.run_events (
  tenant_id text collate "C" not null,
  run_id    text collate "C" not null,
  seq       bigint not null,
  event_id  bigint not null,
  at        timestamptz,
  type      text not null,
  task_id   text,
  body      bytea not null,
  primary key (tenant_id, run_id, seq),
  foreign key (tenant_id, run_id) references tutti.runs on delete cascade
);
comment on table tutti.run_events is 'What happened in a run, in the order in which it was applied.';
comment on column tutti.run_events.event_id is
  'The event in Temporal''s history; 0 for what followed from others.';
comment on column tutti.run_events.body is
  'The event as JSON, exact: convert_from(body, ''UTF8'')::jsonb reads it.';

create table if not exists tutti.leases (
  name   text collate "C" primary key,
  holder text not null,
  until  timestamptz not null
);
comment on table tutti.leases is
  'Who does a job that one process at a time does; the lease "sweeper" looks for what hints missed.';

create table if not exists tutti.sweeper (
  id        smallint primary key check (id = 1),
  watermark timestamptz not null
);
comment on table tutti.sweeper is
  'One row: up to which close time closed runs are known to be in the mirror.';
