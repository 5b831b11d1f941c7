import type { Translated } from '../translated.ts'
import { dao } from '../zh_tw/dao.ts'
import { deposit } from '../zh_tw/deposit.ts'
import { files } from '../zh_tw/files.ts'
import { firstRun } from '../zh_tw/first-run.ts'
import { help } from '../zh_tw/help.ts'
import { income } from '../zh_tw/income.ts'
import { order } from '../zh_tw/order.ts'
import { payment } from '../zh_tw/payment.ts'
import { promotion } from '../zh_tw/promotion.ts'
import { records } from '../zh_tw/records.ts'
import { rewards } from '../zh_tw/rewards.ts'
import { security } from '../zh_tw/security.ts'
import { setting } from '../zh_tw/setting.ts'
import { share } from '../zh_tw/share.ts'
import { statement } from '../zh_tw/statement.ts'
import { team } from '../zh_tw/team.ts'
import { transfer } from '../zh_tw/transfer.ts'
import { wallets } from '../zh_tw/wallets.ts'
import type { texts as en } from './en.ts'

export const texts: Translated<typeof en> = {
  dao,
  deposit,
  files,
  firstRun,
  help,
  income,
  order,
  payment,
  promotion,
  records,
  rewards,
  security,
  setting,
  share,
  statement,
  team,
  transfer,
  wallets,
}
