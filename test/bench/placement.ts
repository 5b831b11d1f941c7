import { loadavg } from 'node:os'
import { migrate } from '@lode/server'
import pg from 'pg'
import { atMost, median, type Target } from './targets.ts'
import { insertTeam } from './team-history.ts'
import { startTunedPostgres } from './tuned-postgres.ts'

/**
 * The cost of placing a member in a small team and in a large one, in turns within one run. Measures the one statement
 * with which a registration places its member, from Node and back, without the commit.
 *
 * small   below any of a thousand members
 * large   below any of a million members
 * crowd   in that million, below one inviter with 300,000 members below
 * chain   in that million, at the end of a chain of 10,000 members
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 1_000)
const SMALL = 1_000
const LARGE = Number(process.env.BENCH_LARGE ?? 1_000_000)
const CROWD = Math.round(LARGE * 0.3)
const CHAIN = Math.round(LARGE * 0.01)

const SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB', checkpoint_timeout: '30min', synchronous_commit: 'off' }

export async function benchPlacement(): Promise<Target[]> {
  const postgres = await startTunedPostgres(SETTINGS)
  const clients: pg.Client[] = []
  try {
    const connect = async (database?: string): Promise<pg.Client> => {
      const client = new pg.Client({ connectionString: postgres.url(database) })
      await client.connect()
      clients.push(client)
      return client
    }
    const maker = await connect()
    for (const [name, sponsors] of [
      ['small', drawSponsors(SMALL)],
      ['large', drawLargeTeam()],
    ] as const) {
      const began = Date.now()
      await maker.query(`create database ${name}`)
      await migrate({ ownerUrl: postgres.url(name), profile: 'production' })
      await insertTeam(postgres.url(name), sponsors)
      const seconds = Math.round((Date.now() - began) / 1_000)
      console.log(`${name}: ${sponsors.length.toLocaleString('en')} members, filled and checked in ${seconds} s`)
    }
    await maker.query('checkpoint')

    const teams = { small: await openTeam(await connect('small')), large: await openTeam(await connect('large')) }
    let lastOfChain = 2 + CHAIN
    const measures = {
      small: () => teams.small.place(random(SMALL)),
      large: () => teams.large.place(random(LARGE)),
      crowd: () => teams.large.place(2),
      chain: async () => {
        const placed = await teams.large.place(lastOfChain)
        lastOfChain = placed.member
        return placed
      },
    }
    type Name = keyof typeof measures
    const names = Object.keys(measures) as Name[]
    for (let warm = 0; warm < ROUNDS / 10; warm += 1) for (const name of names) await measures[name]()
    const times: Record<Name, number[]> = { small: [], large: [], crowd: [], chain: [] }
    const beyond: { down: number[]; up: number[] } = { down: [], up: [] }
    console.log(`${ROUNDS} rounds, load average ${loadavg()[0]?.toFixed(1)}`)
    for (let round = 0; round < ROUNDS; round += 1)
      for (const name of names) {
        const { milliseconds, members, down, up } = await measures[name]()
        times[name].push(milliseconds)
        beyond.down.push(down - Math.log(members) / Math.log(3))
        beyond.up.push(up - Math.log(members) / Math.log(3))
      }
    for (const name of names) {
      const sorted = times[name].toSorted((one, other) => one - other)
      const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2)
      console.log(`${name}: median ${at(0.5)} ms, a quarter below ${at(0.25)}, one in a hundred above ${at(0.99)}`)
    }
    console.log(`load average at the end ${loadavg()[0]?.toFixed(1)}`)
    const ratio = (name: Name) => median(times[name]) / median(times.small)
    return [
      atMost(`median time among ${LARGE.toLocaleString('en')}, of that among 1,000`, ratio('large'), 2),
      atMost(`below one sponsor with ${CROWD.toLocaleString('en')} below, of that among 1,000`, ratio('crowd'), 2),
      atMost(`at the end of a chain ${CHAIN.toLocaleString('en')} deep, of that among 1,000`, ratio('chain'), 2),
      atMost('rows read to find the place, minus log3(members)', Math.max(...beyond.down), 2),
      atMost('rows written above the place, minus log3(members)', Math.max(...beyond.up), 2),
    ]
  } finally {
    for (const client of clients) await client.end().catch(() => {})
    await postgres.stop()
  }
}

const random = (bound: number): number => 1 + Math.floor(Math.random() * bound)

/** Each member is invited by any earlier one. */
export const drawSponsors = (size: number): number[] =>
  Array.from({ length: size }, (_, index) => (index === 0 ? 0 : random(index)))

/**
 * Member 2 invites a crowd. From member 3 on there is a chain. The others are invited by any member outside the chain,
 * except the crowd's inviter.
 */
function drawLargeTeam(): number[] {
  const sponsors = [0, 1, 1]
  for (let link = 1; link < CHAIN; link += 1) sponsors.push(2 + link)
  for (let invited = 0; invited < CROWD; invited += 1) sponsors.push(2)
  const firstOther = sponsors.length + 1
  while (sponsors.length < LARGE) {
    const others = sponsors.length + 1 - firstOther
    sponsors.push(others === 0 || random(10) === 1 ? 1 : firstOther - 1 + random(others))
  }
  return sponsors
}

/** A team in which members are placed one after another, on one connection. */
export async function openTeam(client: pg.Client) {
  const { rows } = await client.query<{ members: number }>('select count(*)::int as members from lode.member')
  let members = rows[0]?.members ?? 0
  return {
    async place(sponsor: number) {
      await client.query('begin')
      const inserted = await client.query<{ id: string }>({
        name: 'member',
        text: `insert into lode.member (account, invite_code, sponsor_id, lang)
               values (substring(sha256(convert_to($1, 'UTF8')) for 20), lpad($1, 8, '0'), $2, 'en') returning id`,
        values: [String(members + 1), sponsor],
      })
      const member = Number(inserted.rows[0]?.id)
      const began = performance.now()
      const placed = await client.query<{ rows_down: number; rows_up: number }>({
        name: 'place',
        text: 'select rows_down, rows_up from lode.place_member($1)',
        values: [member],
      })
      const milliseconds = performance.now() - began
      await client.query('commit')
      members += 1
      return { member, members, milliseconds, down: placed.rows[0]?.rows_down ?? 0, up: placed.rows[0]?.rows_up ?? 0 }
    },
  }
}
