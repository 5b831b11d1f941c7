import { type Asset, formatAmount, units } from '@lode/kernel'
import { sql } from 'kysely'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import type { NoticeWords } from './notice-text.ts'

type ReversalRow = {
  id: bigint
  asset: Asset
  amount: string
  note: string
  due_at: Date
  ended: 'posted' | 'caused' | null
}

/** The words of the notices that a false posting of a member is undone, by the number of the reversal. */
export async function readReversalNotices(
  db: Database,
  member: bigint,
  decimals: Decimals,
): Promise<Map<bigint, NoticeWords>> {
  const { rows } = await sql<ReversalRow>`
    select decision_id as id, asset, amount, note, due_at, ended from lode.reversal
    where member_id = ${member}`.execute(db)
  return new Map(rows.map((row) => [row.id, composeWords(row, decimals)]))
}

/** The server writes these words, because the app shows few members a notice like this. */
export function composeWords({ asset, amount, note, due_at, ended }: ReversalRow, decimals: Decimals): NoticeWords {
  const coins = `${formatAmount(units(asset, BigInt(amount)), decimals[asset])} ${asset}`
  const moment = `${due_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const texts = { coming, posted, caused }[ended ?? 'coming'](coins, moment)
  const withReason = ({ title, body }: Text, reason: string): Text => ({ title, body: [...body, `${reason}${note}`] })
  return {
    en: withReason(texts.en, 'The operators’ reason: '),
    zh_tw: withReason(texts.zh_tw, '營運人員的理由：'),
    zh_cn: withReason(texts.zh_cn, '运营人员的理由：'),
  }
}

type Text = { title: string; body: string[] }
type Texts = { readonly en: Text; readonly zh_tw: Text; readonly zh_cn: Text }

const coming = (coins: string, moment: string): Texts => ({
  en: {
    title: `A credit of ${coins} will be undone`,
    body: [
      `Your balance was credited with ${coins} by mistake: nothing that happened explains this credit. It will be undone at ${moment}.`,
      'At most this amount is taken back, and never more than your available balance. If a cause is found before, nothing is taken back.',
    ],
  },
  zh_tw: {
    title: `一筆 ${coins} 的入帳將被撤銷`,
    body: [
      `您的餘額曾誤記入 ${coins}：沒有任何事實可以說明這筆入帳。它將於 ${moment} 撤銷。`,
      '最多只會收回這筆金額，也不會超過您的可用餘額。若在此之前找到依據，就不會收回。',
    ],
  },
  zh_cn: {
    title: `一笔 ${coins} 的入账将被撤销`,
    body: [
      `您的余额曾误记入 ${coins}：没有任何事实可以说明这笔入账。它将于 ${moment} 撤销。`,
      '最多只会收回这笔金额，也不会超过您的可用余额。若在此之前找到依据，就不会收回。',
    ],
  },
})

const posted = (coins: string): Texts => ({
  en: {
    title: `A credit of ${coins} was undone`,
    body: [`Your balance had been credited with ${coins} by mistake. Your wallet log shows what was taken back.`],
  },
  zh_tw: {
    title: `一筆 ${coins} 的入帳已撤銷`,
    body: [`您的餘額曾誤記入 ${coins}。錢包紀錄會顯示收回了多少。`],
  },
  zh_cn: {
    title: `一笔 ${coins} 的入账已撤销`,
    body: [`您的余额曾误记入 ${coins}。钱包记录会显示收回了多少。`],
  },
})

const caused = (coins: string): Texts => ({
  en: {
    title: `The credit of ${coins} stays`,
    body: [`A cause was found for the credit of ${coins}. Nothing is taken back.`],
  },
  zh_tw: { title: `${coins} 的入帳維持不變`, body: [`已找到 ${coins} 這筆入帳的依據，不會收回任何金額。`] },
  zh_cn: { title: `${coins} 的入账维持不变`, body: [`已找到 ${coins} 这笔入账的依据，不会收回任何金额。`] },
})
