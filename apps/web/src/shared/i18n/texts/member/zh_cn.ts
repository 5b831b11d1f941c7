import type { Translated } from '../translated.ts'
import { dao } from '../zh_cn/dao.ts'
import { deposit } from '../zh_cn/deposit.ts'
import { files } from '../zh_cn/files.ts'
import { firstRun } from '../zh_cn/first-run.ts'
import { help } from '../zh_cn/help.ts'
import { income } from '../zh_cn/income.ts'
import { order } from '../zh_cn/order.ts'
import { payment } from '../zh_cn/payment.ts'
import { promotion } from '../zh_cn/promotion.ts'
import { records } from '../zh_cn/records.ts'
import { rewards } from '../zh_cn/rewards.ts'
import { security } from '../zh_cn/security.ts'
import { setting } from '../zh_cn/setting.ts'
import { share } from '../zh_cn/share.ts'
import { statement } from '../zh_cn/statement.ts'
import { team } from '../zh_cn/team.ts'
import { transfer } from '../zh_cn/transfer.ts'
import { wallets } from '../zh_cn/wallets.ts'
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
