import pg from 'pg'
import type { Member } from './member.ts'
import type { BrowserStack } from './stack.ts'

type TeamSize = {
  /** How many members register, one after another, with this member's invitation. */
  readonly invited: number
  /** Every n-th of them is activated and has paid 100 USDT. None, if not set. */
  readonly activatedEvery?: number
}

/** Makes the team that registrations would make, without signatures. This is the fastest way to many members. */
export const createTeam = (stack: BrowserStack, member: Member, { invited, activatedEvery }: TeamSize): Promise<void> =>
  withOwnerConnection(stack, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into lode.member (account, invite_code, sponsor_id, lang)
       select decode(left(md5($1 || n) || md5(n || $1), 40), 'hex'), upper(translate(left(md5(n || $1), 8), 'u', '0')), id, 'en'
       from lode.member, generate_series(1, $2::int) n where account = decode($1, 'hex')
       order by n returning id`,
      [member.account.address.slice(2), invited],
    )
    for (const [index, { id }] of rows.entries()) {
      await client.query('select from lode.place_member($1)', [id])
      if (activatedEvery === undefined || index % activatedEvery !== 0) continue
      await client.query('update lode.member set level = 1 + id % 3 where id = $1', [id])
      await client.query('select lode.add_activation($1), lode.add_performance($1, 100000000)', [id])
    }
  })

/** Activates the member, as a promotion would. */
export const activateMember = (stack: BrowserStack, { account }: Member): Promise<void> =>
  withOwnerConnection(stack, async (client) => {
    const address = [account.address.slice(2)]
    await client.query(`update lode.member set level = 1 where account = decode($1, 'hex')`, address)
    await client.query(
      `select lode.add_activation(id), lode.add_performance(id, 100000000) from lode.member where account = decode($1, 'hex')`,
      address,
    )
  })

async function withOwnerConnection(stack: BrowserStack, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: stack.ownerUrl })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
