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
  tools                    text[],
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

-- The views are part of the stable schema, see docs/sql.md.

create or replace view tutti.awaiting_host as
select t.tenant_id, t.run_id, t.id as task_id, t.specialist_name, t.host_role, t.host_claimed_by,
  t.host_claim_expires_at, t.host_awaiting_since, r.chain_name, r.request_summary
from tutti.tasks t
join tutti.runs r on r.tenant_id = t.tenant_id and r.run_id = t.run_id
where t.status = 'awaiting-host' and not r.is_terminal;
comment on view tutti.awaiting_host is 'Tasks that wait for a host to execute their prompt.';

create or replace view tutti.usage_daily as
select t.tenant_id, (r.created_at at time zone 'UTC')::date as day, t.provider, t.model,
  count(*) as tasks, sum(t.calls) as calls, sum(t.input_tokens) as input_tokens,
  sum(t.cached_input_tokens) as cached_input_tokens, sum(t.output_tokens) as output_tokens,
  sum(t.cost_usd) as cost_usd, sum(t.unpriced_calls) as unpriced_calls, sum(t.calls_uncertain) as calls_uncertain
from tutti.tasks t
join tutti.runs r on r.tenant_id = t.tenant_id and r.run_id = t.run_id
where t.calls > 0
group by 1, 2, 3, 4;
comment on view tutti.usage_daily is
  'What the tasks of the runs created on each day (UTC) used, by provider and model. Sums leave out what is unknown.';

create or replace view tutti.cost_by_chain as
select tenant_id, chain_name, count(*) as runs, count(cost_usd) as runs_with_cost, sum(cost_usd) as cost_usd,
  avg(cost_usd) as average_cost_usd, sum(unpriced_calls) as unpriced_calls, sum(calls_uncertain) as calls_uncertain
from tutti.runs
group by 1, 2;
comment on view tutti.cost_by_chain is
  'What the runs of each chain cost. A run whose cost is unknown counts in runs and not in runs_with_cost.';

create or replace view tutti.failures_by_class as
select t.tenant_id, t.error_class, t.error_code, t.provider, t.model, count(*) as failures,
  max(t.finished_at) as last_at
from tutti.tasks t
where t.error_code is not null
group by 1, 2, 3, 4, 5;
comment on view tutti.failures_by_class is 'Failed tasks by class and code of their error, provider and model.';

create or replace view tutti.uncertain_calls as
select t.tenant_id, t.run_id, t.id as task_id, t.provider, t.model, t.calls_uncertain, t.status, r.created_at
from tutti.tasks t
join tutti.runs r on r.tenant_id = t.tenant_id and r.run_id = t.run_id
where t.calls_uncertain > 0;
comment on view tutti.uncertain_calls is
  'Tasks with calls that may have been paid for without an answer: their worker was lost between request and answer.';

-- What is left to say of the columns.
comment on column tutti.awaiting_host.chain_name is 'The chain that the run goes through.';
comment on column tutti.awaiting_host.host_awaiting_since is 'Since when it waits for a host.';
comment on column tutti.awaiting_host.host_claim_expires_at is 'Until when the claim holds.';
comment on column tutti.awaiting_host.host_claimed_by is 'The host that holds the task.';
comment on column tutti.awaiting_host.host_role is 'What the host that executed it is.';
comment on column tutti.awaiting_host.request_summary is 'The first words of the request.';
comment on column tutti.awaiting_host.run_id is 'The run, which is the Temporal workflow ID.';
comment on column tutti.awaiting_host.specialist_name is 'The specialist that the task is for.';
comment on column tutti.awaiting_host.task_id is 'The task, by its name in the run.';
comment on column tutti.awaiting_host.tenant_id is 'Whose it is. Every key and filter begins with it.';
comment on column tutti.cost_by_chain.average_cost_usd is 'The mean of the known costs.';
comment on column tutti.cost_by_chain.calls_uncertain is 'Calls that may have been paid for without an answer.';
comment on column tutti.cost_by_chain.chain_name is 'The chain that the run goes through.';
comment on column tutti.cost_by_chain.cost_usd is 'Exact US dollars. Null is unknown.';
comment on column tutti.cost_by_chain.runs is 'How many runs.';
comment on column tutti.cost_by_chain.runs_with_cost is 'How many of them have a known cost.';
comment on column tutti.cost_by_chain.tenant_id is 'Whose it is. Every key and filter begins with it.';
comment on column tutti.cost_by_chain.unpriced_calls is 'Calls whose cost is unknown because their model has no price.';
comment on column tutti.failures_by_class.error_class is 'The class of the error, as providers are judged by.';
comment on column tutti.failures_by_class.error_code is 'The code of the error, as docs/errors.md lists them. Null is none.';
comment on column tutti.failures_by_class.failures is 'How many tasks failed so.';
comment on column tutti.failures_by_class.last_at is 'When the last of them failed.';
comment on column tutti.failures_by_class.model is 'The model that was asked.';
comment on column tutti.failures_by_class.provider is 'The provider that was asked.';
comment on column tutti.failures_by_class.tenant_id is 'Whose it is. Every key and filter begins with it.';
comment on column tutti.leases.holder is 'The process that holds it.';
comment on column tutti.leases.name is 'Its name.';
comment on column tutti.leases.until is 'When it runs out by itself.';
comment on column tutti.run_events.at is 'When it happened.';
comment on column tutti.run_events.run_id is 'The run, which is the Temporal workflow ID.';
comment on column tutti.run_events.seq is 'Its place, from 1.';
comment on column tutti.run_events.task_id is 'The task, by its name in the run.';
comment on column tutti.run_events.tenant_id is 'Whose it is. Every key and filter begins with it.';
comment on column tutti.run_events.type is 'What happened.';
comment on column tutti.runs.cache_write_input_tokens is 'Part of input_tokens that was written to the providers cache. Null is unknown.';
comment on column tutti.runs.cached_input_tokens is 'Part of input_tokens that the provider had in its cache. Null is unknown.';
comment on column tutti.runs.cancel_requested is 'Somebody asked the run to end.';
comment on column tutti.runs.chain_name is 'The chain that the run goes through.';
comment on column tutti.runs.chain_version is 'The chains version, by content.';
comment on column tutti.runs.degradation_reasons is 'Why it is degraded.';
comment on column tutti.runs.degraded is 'Something was executed otherwise than asked for.';
comment on column tutti.runs.error_code is 'The code of the error, as docs/errors.md lists them. Null is none.';
comment on column tutti.runs.error_message is 'The error in one sentence.';
comment on column tutti.runs.finished_at is 'When it ended. Null while it has not.';
comment on column tutti.runs.host_role is 'What the host that executed it is.';
comment on column tutti.runs.max_cost_usd is 'The cap on cost in US dollars. Null is none.';
comment on column tutti.runs.max_tokens is 'The cap on tokens. Null is none.';
comment on column tutti.runs.more_rejected_signals is 'How many more were refused.';
comment on column tutti.runs.plan_rationale is 'Why this chain was chosen.';
comment on column tutti.runs.principal_id is 'Who submitted the run.';
comment on column tutti.runs.prompt_format is 'The version of the format in which prompts are assembled.';
comment on column tutti.runs.raw_bytes is 'Bytes of raw host results so far.';
comment on column tutti.runs.reasoning_tokens is 'Part of output_tokens that was reasoning. Null is unknown.';
comment on column tutti.runs.rejected_signals is 'Host results that were refused, the first of them.';
comment on column tutti.runs.request_attachments is 'Name, size and digest of each attachment.';
comment on column tutti.runs.request_sha256 is 'Digest over the digests of the requests texts.';
comment on column tutti.runs.request_summary is 'The first words of the request.';
comment on column tutti.runs.request_text_sha256 is 'Digest of the requests text.';
comment on column tutti.runs.request_text_size is 'Bytes of the requests text.';
comment on column tutti.runs.requested_model is 'The model that was asked for.';
comment on column tutti.runs.resolution_source is 'What decided the choice of the model.';
comment on column tutti.runs.selected_model is 'The model that was chosen for the run.';
comment on column tutti.runs.selected_provider is 'The provider that was chosen for the run.';
comment on column tutti.runs.semantics is 'What the status means for a reader, in words.';
comment on column tutti.runs.started_at is 'When it was started.';
comment on column tutti.runs.tenant_id is 'Whose it is. Every key and filter begins with it.';
comment on column tutti.runs.unpriced_calls is 'Calls whose cost is unknown because their model has no price.';
comment on column tutti.runs.updated_at is 'When the last event of the row happened.';
comment on column tutti.runs.warnings is 'What was not as it should be.';
comment on column tutti.runs.worker_backend is 'inline, provider, host, or mixed.';
comment on column tutti.sweeper.id is 'Always 1.';
comment on column tutti.sweeper.watermark is 'The close time.';
comment on column tutti.tasks.backend is 'inline, provider or host.';
comment on column tutti.tasks.cache_write_input_tokens is 'Part of input_tokens that was written to the providers cache. Null is unknown.';
comment on column tutti.tasks.cached_input_tokens is 'Part of input_tokens that the provider had in its cache. Null is unknown.';
comment on column tutti.tasks.calls is 'How many calls were made.';
comment on column tutti.tasks.calls_uncertain is 'Calls that may have been paid for without an answer.';
comment on column tutti.tasks.charge_cost_usd is 'What the task counts for the budget in US dollars.';
comment on column tutti.tasks.charge_tokens is 'What the task counts for the budget in tokens.';
comment on column tutti.tasks.degradations is 'In what its execution was another than asked for.';
comment on column tutti.tasks.error_attempts is 'How many attempts ended in the error.';
comment on column tutti.tasks.error_class is 'The class of the error, as providers are judged by.';
comment on column tutti.tasks.error_code is 'The code of the error, as docs/errors.md lists them. Null is none.';
comment on column tutti.tasks.error_message is 'The error in one sentence.';
comment on column tutti.tasks.error_remediation is 'What to do about the error.';
comment on column tutti.tasks.error_retry_after_ms is 'How long the provider asked to wait.';
comment on column tutti.tasks.execution_state is 'What really happened: failed, degraded-executed, executed, awaiting-host, prepared.';
comment on column tutti.tasks.finished_at is 'When it ended. Null while it has not.';
comment on column tutti.tasks.host_awaiting_since is 'Since when it waits for a host.';
comment on column tutti.tasks.host_claim_expires_at is 'Until when the claim holds.';
comment on column tutti.tasks.host_claim_token is 'Counts the claims; a result needs the last one.';
comment on column tutti.tasks.host_claimed_by is 'The host that holds the task.';
comment on column tutti.tasks.host_client_name is 'The hosts program.';
comment on column tutti.tasks.host_client_version is 'The version of the hosts program.';
comment on column tutti.tasks.host_model_source is 'Where the hosts model is known from.';
comment on column tutti.tasks.host_result_sha256 is 'Digest of the hosts result.';
comment on column tutti.tasks.host_role is 'What the host that executed it is.';
comment on column tutti.tasks.host_session is 'The hosts session.';
comment on column tutti.tasks.host_submission_id is 'The submission that the result came with.';
comment on column tutti.tasks.id is 'Its name.';
comment on column tutti.tasks.model is 'The model that was asked.';
comment on column tutti.tasks.needs is 'The tasks whose results it gets.';
comment on column tutti.tasks.output_size is 'Bytes of the output.';
comment on column tutti.tasks.output_tokens is 'All that was written, reasoning included.';
comment on column tutti.tasks.parked_for is 'Why the task waits for a later time.';
comment on column tutti.tasks.prompt_sha256 is 'Digest of the prompt, system and user part.';
comment on column tutti.tasks.prompt_truncated is 'Parts of the prompt were cut to fit.';
comment on column tutti.tasks.prompt_version is 'The version of the prompt.';
comment on column tutti.tasks.provenance_source is 'Where the statement about provider and model comes from.';
comment on column tutti.tasks.provider is 'The provider that was asked.';
comment on column tutti.tasks.provider_meta is 'What the provider said of the call: finish reason, usage, time, attempts.';
comment on column tutti.tasks.tools is 'The tools that the specialist names, for hosts. A provider''s model gets none.';
comment on column tutti.tasks.reason is 'Why the task is in the chain.';
comment on column tutti.tasks.reasoning is 'A readable copy of the reasoning that travels inline.';
comment on column tutti.tasks.reasoning_sha256 is 'Digest of the reasoning.';
comment on column tutti.tasks.reasoning_size is 'Bytes of the reasoning.';
comment on column tutti.tasks.reasoning_tokens is 'Part of output_tokens that was reasoning. Null is unknown.';
comment on column tutti.tasks.resume_at is 'When it goes on by itself.';
comment on column tutti.tasks.run_id is 'The run, which is the Temporal workflow ID.';
comment on column tutti.tasks.skip_reason is 'Why it was skipped.';
comment on column tutti.tasks.specialist_id is 'The specialists own ID.';
comment on column tutti.tasks.specialist_name is 'The specialist that the task is for.';
comment on column tutti.tasks.specialist_version is 'The specialists version, by content.';
comment on column tutti.tasks.started_at is 'When it was started.';
comment on column tutti.tasks.tenant_id is 'Whose it is. Every key and filter begins with it.';
comment on column tutti.tasks.truncated is 'The output was cut by its limit.';
comment on column tutti.tasks.unpriced_calls is 'Calls whose cost is unknown because their model has no price.';
comment on column tutti.tasks.warnings is 'What was not as it should be.';
comment on column tutti.uncertain_calls.calls_uncertain is 'Calls that may have been paid for without an answer.';
comment on column tutti.uncertain_calls.created_at is 'When it was made.';
comment on column tutti.uncertain_calls.model is 'The model that was asked.';
comment on column tutti.uncertain_calls.provider is 'The provider that was asked.';
comment on column tutti.uncertain_calls.run_id is 'The run, which is the Temporal workflow ID.';
comment on column tutti.uncertain_calls.status is 'Where it stands.';
comment on column tutti.uncertain_calls.task_id is 'The task, by its name in the run.';
comment on column tutti.uncertain_calls.tenant_id is 'Whose it is. Every key and filter begins with it.';
comment on column tutti.usage_daily.cached_input_tokens is 'Part of input_tokens that the provider had in its cache. Null is unknown.';
comment on column tutti.usage_daily.calls is 'How many calls were made.';
comment on column tutti.usage_daily.calls_uncertain is 'Calls that may have been paid for without an answer.';
comment on column tutti.usage_daily.cost_usd is 'Exact US dollars. Null is unknown.';
comment on column tutti.usage_daily.day is 'The day in UTC on which the runs were created.';
comment on column tutti.usage_daily.input_tokens is 'All that was read, cached included.';
comment on column tutti.usage_daily.model is 'The model that was asked.';
comment on column tutti.usage_daily.output_tokens is 'All that was written, reasoning included.';
comment on column tutti.usage_daily.provider is 'The provider that was asked.';
comment on column tutti.usage_daily.tasks is 'How many tasks.';
comment on column tutti.usage_daily.tenant_id is 'Whose it is. Every key and filter begins with it.';
comment on column tutti.usage_daily.unpriced_calls is 'Calls whose cost is unknown because their model has no price.';
