/** Which jobs of a kind with limits are next: those of owners that run least now and lately, so that nobody waits for the backlog of another one. */
import { type RawBuilder, sql } from 'kysely'
import type { JobKind, Lane } from './job.ts'

/** Where an engine keeps jobs, and how it says what they do. The columns have no alias. */
interface Engine {
  table: RawBuilder<unknown>
  kind: RawBuilder<unknown>
  /** In the order of bytes. */
  group: RawBuilder<unknown>
  dueAt: RawBuilder<unknown>
  now: RawBuilder<unknown>
  /** Also of jobs that are not due. One index has them by kind, group and time. */
  isWaiting: RawBuilder<boolean>
  /** With a group. */
  isRunning: RawBuilder<boolean>
  /** What precedes the first `/`, or all of it. */
  ownerOf: (group: RawBuilder<unknown>) => RawBuilder<string>
  /** A table of one column. */
  listed: (groups: readonly string[]) => RawBuilder<unknown>
  /** A table of two columns. */
  counted: (counts: Lane['used']) => RawBuilder<unknown>
  /** Joins the rows of `found` to each row of `groups`. */
  joined: (found: RawBuilder<unknown>) => RawBuilder<unknown>
}

const UNLIMITED = 1_000_000_000
const ALL: Lane = { groups: [], isListed: false }
/** Follows `/`: an owner and this is greater than every group of the owner. */
const PAST_OWNER = '0'

/**
 * The ids of at most `max` jobs, for a statement that begins with these tables and reads `chosen`. Groups are found one by one in
 * the index, without those of owners that have all they may have: the time depends on how many wait, and not on how much.
 * Jobs of one lane do not wait for those of the other one, but an owner who runs some there is served later here.
 */
export function fairShare(engine: Engine, { name, perGroupMax = 1, perOwner }: JobKind, max: number, lane = ALL) {
  const { table, kind, group, dueAt, now, isWaiting, isRunning, ownerOf, joined } = engine
  const ofKind = sql`${kind} = ${name}`
  const { max: ownerMax, free } = perOwner ?? { max: UNLIMITED, free: UNLIMITED }
  const nextGroup = (after: RawBuilder<unknown>) =>
    sql`select ${group} from ${table} where ${ofKind} and ${isWaiting} and ${group} ${after} order by ${group} limit 1`
  const due = (which: RawBuilder<unknown>, limit: number) =>
    sql`select id, ${dueAt} as due from ${table} where ${ofKind} and ${isWaiting} and ${dueAt} <= ${now} and ${which}
      order by ${dueAt}, id limit ${limit}`
  const isFull = sql`exists (select 1 from owners where owners.owner = ${ownerOf(sql`groups.job_group`)} and n >= ${ownerMax})`
  const past = sql`case when ${isFull} then ${ownerOf(sql`groups.job_group`)} || ${PAST_OWNER} else groups.job_group end`
  const found = sql`select * from (${nextGroup(sql`is not null`)}) first
    union all
    select (${nextGroup(sql`> ${past}`)}) from groups where groups.job_group is not null`
  const isOfLane = sql`groups.job_group ${sql.raw(lane.isListed ? 'in' : 'not in')} (select job_group from listed)`
  return sql`
    listed(job_group) as materialized (${engine.listed(lane.groups)}),
    used(owner, n) as materialized (${engine.counted(lane.used)}),
    runs as materialized (
      select ${group} as job_group, count(*) as n from ${table}
      where ${ofKind} and ${isRunning} group by ${group}
    ),
    owners as materialized (select ${ownerOf(sql`job_group`)} as owner, sum(n) as n from runs group by 1),
    groups(job_group) as (${lane.isListed ? sql`select job_group from listed` : found}),
    spots as materialized (
      select groups.job_group, ${ownerOf(sql`groups.job_group`)} as owner, found.id, found.due,
        coalesce(runs.n, 0) + row_number() over (partition by groups.job_group order by found.due, found.id) as place
      from groups left join runs on runs.job_group = groups.job_group
        ${joined(due(sql`${group} = groups.job_group`, perGroupMax))}
      where groups.job_group is not null and ${isOfLane}
        and coalesce(runs.n, 0) < ${perGroupMax} and not ${isFull}
    ),
    shares as (
      select spots.id, spots.due, spots.place, coalesce(used.n, 0) as used,
        coalesce(owners.n, 0) + row_number() over (partition by spots.owner order by spots.place, spots.due, spots.id) as share
      from spots left join owners on owners.owner = spots.owner left join used on used.owner = spots.owner where spots.place <= ${perGroupMax}
      union all
      select id, due, 1, 0, 1 from (${due(sql`${group} is null`, lane.isListed ? 0 : max)}) alone
    ),
    chosen as materialized (
      select id from shares where share <= ${ownerMax} and (place = 1 or share <= ${free})
      order by share + used, due, id limit ${max}
    )`
}
