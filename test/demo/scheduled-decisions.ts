import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StackOperators } from '@lode/scripts/operators'
import { examplePlanFile } from '@lode/scripts/server'
import type { Address } from 'viem'
import { accountOf } from './member.ts'
import { MARKET_OPENS } from './member-scripts.ts'
import type { PoolDatabase } from './pool-database.ts'

/** A decision of the operators by the command line, and its day as a fraction of all days. */
export type ScheduledDecision = {
  readonly on: number
  readonly needsPartners?: boolean
  readonly what: (office: OperatorActions) => Promise<unknown>
}

export type OperatorActions = {
  decide(...args: string[]): Promise<void>
  /** For decisions that need one operator only. */
  decideByOne(...args: string[]): Promise<unknown>
  publishPlan(change: (plan: string) => string): Promise<void>
  publishNotice(words: object): Promise<unknown>
  disable(account: string): Promise<unknown>
  /** Two operators list the addresses for treasury payments, at least 48 hours before the first payment. */
  listPayees(): Promise<void>
  /** Pays the hosting company for the computing power that was sold since the last payment. */
  payForPower(): Promise<void>
  /** Puts BTN of the liquidity reserve on the market, where members buy it. */
  supplyMarket(): Promise<void>
}

export const scheduledDecisions: readonly ScheduledDecision[] = [
  { on: 0, what: (office) => office.listPayees() },
  ...[0.15, 0.3, 0.45, 0.6, 0.75, 0.9].map((on) => ({ on, what: (office: OperatorActions) => office.payForPower() })),
  ...[MARKET_OPENS, 0.5].map((on) => ({ on, what: (office: OperatorActions) => office.supplyMarket() })),
  { on: 0.03, what: (office) => office.publishNotice(welcome) },
  { on: 0.12, what: (office) => office.decide('expert', 'authorise', accountOf('expert').address) },
  { on: 0.5, what: (office) => office.publishPlan(secondPlan) },
  { on: 0.51, what: (office) => office.publishNotice(newPlan) },
  { on: 0.7, what: (office) => office.disable(accountOf('disabled').address) },
  {
    on: 0.75,
    needsPartners: true,
    what: (office) => office.decide('partner', 'approve', accountOf('first').address),
  },
  { on: 0.95, what: (office) => office.publishNotice(quietDays) },
  // Transfers out become more expensive. The change takes effect a week later and is announced to all members.
  { on: 1, what: (office) => office.publishPlan((plan) => secondPlan(plan).replace('"fee": "1"', '"fee": "1.5"')) },
]

/**
 * USDT for one TH/s that runs for three years. A promotion costs 50 USDT per TH/s, of which at least 65 % (32.50 USDT)
 * go to the mining fund.
 */
const POWER_PRICE = 30
const MARKET_SUPPLY = 15_000_000

export type Payees = { readonly hosting: Address; readonly market: Address }

export function makeOperatorActions(
  operators: StackOperators,
  database: PoolDatabase,
  payees: Payees,
): OperatorActions {
  let powerPaid = 0
  let invoices = 0
  const decide: OperatorActions['decide'] = async (...args) => {
    for (const name of ['ada', 'bo'] as const) await operators.decide(name, ...args)
  }
  const inFile = async <T>(text: string, use: (file: string) => Promise<T>): Promise<T> => {
    const folder = await mkdtemp(join(tmpdir(), 'lode-demo-'))
    try {
      await writeFile(join(folder, 'file.json'), text)
      return await use(join(folder, 'file.json'))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  return {
    decide,
    decideByOne: (...args) => operators.decide('ada', ...args),
    publishPlan: async (change) =>
      inFile(change(await readFile(examplePlanFile, 'utf8')), (file) => operators.publish(file)),
    publishNotice: (words) => inFile(JSON.stringify(words), (file) => decide('notice', 'publish', file)),
    disable: (account) => decide('account', 'disable', account, 'Somebody reported that this wallet was stolen.'),
    async listPayees() {
      await decide('treasury', 'address', payees.hosting, 'The hosting company: computing power')
      await decide('treasury', 'address', payees.market, 'The market maker of BTN / USDT: liquidity')
    },
    async payForPower() {
      const power = (await database.readPowerSold()) - powerPaid
      if (power === 0) return
      powerPaid += power
      invoices += 1
      const purpose = `Computing power: ${power} TH/s for 36 months, invoice ${invoices}`
      await decide('treasury', 'pay', 'pool:mining', String(power * POWER_PRICE), payees.hosting, purpose, '--again')
    },
    supplyMarket: () =>
      decide(
        'treasury',
        'pay',
        'reserve:liquidity',
        String(MARKET_SUPPLY),
        payees.market,
        'BTN for the market BTN / USDT',
        '--again',
      ),
  }
}

/** Contains nothing that makes leaving harder, so it takes effect at once. */
const secondPlan = (plan: string): string =>
  plan
    .replace('"promotion": 1000', '"promotion": 1100')
    .replace('"operations": 200', '"operations": 100')
    .replace('"dayFundingMax": "2"', '"dayFundingMax": "3"')

const welcome = {
  en: {
    title: 'The pool is open',
    body: [
      'Members can register, be promoted and pledge from today.',
      'Read the risks first: a day can share out nothing.',
    ],
  },
  zh_tw: {
    title: '礦池開放了',
    body: ['從今天起，會員可以註冊、晉升與質押。', '請先閱讀風險說明：有些日子可能沒有任何產出可分配。'],
  },
  zh_cn: {
    title: '矿池开放了',
    body: ['从今天起，会员可以注册、晋升和质押。', '请先阅读风险说明：有些日子可能没有任何产出可分配。'],
  },
}

const newPlan = {
  en: {
    title: 'A new version of the plan is in force',
    body: [
      'Sponsors get 11 % of a promotion instead of 10 %, operations 1 % instead of 2 %. Orders made before keep their version.',
    ],
  },
  zh_tw: {
    title: '新版方案已生效',
    body: ['晉升款中，推薦人的部分由 10 % 改為 11 %，營運的部分由 2 % 改為 1 %。先前成立的訂單仍依原版本。'],
  },
  zh_cn: {
    title: '新版方案已生效',
    body: ['晋升款中，推荐人的部分由 10 % 改为 11 %，运营的部分由 2 % 改为 1 %。此前创建的订单仍按原版本执行。'],
  },
}

const quietDays = {
  en: {
    title: 'Days without production',
    body: [
      'Some days of this month shared out nothing, for nothing was funded for them. The table of days shows each of them.',
    ],
  },
  zh_tw: {
    title: '沒有產出的日子',
    body: ['本月有幾天沒有分配任何產出，因為那幾天沒有注入資金。每日明細表逐日列出。'],
  },
  zh_cn: {
    title: '没有产出的日子',
    body: ['本月有几天没有分配任何产出，因为那几天没有注入资金。每日明细表逐日列出。'],
  },
}
