import { dao } from '../en/dao.ts'
import { deposit } from '../en/deposit.ts'
import { files } from '../en/files.ts'
import { firstRun } from '../en/first-run.ts'
import { help } from '../en/help.ts'
import { income } from '../en/income.ts'
import { order } from '../en/order.ts'
import { payment } from '../en/payment.ts'
import { promotion } from '../en/promotion.ts'
import { records } from '../en/records.ts'
import { rewards } from '../en/rewards.ts'
import { security } from '../en/security.ts'
import { setting } from '../en/setting.ts'
import { share } from '../en/share.ts'
import { statement } from '../en/statement.ts'
import { team } from '../en/team.ts'
import { transfer } from '../en/transfer.ts'
import { wallets } from '../en/wallets.ts'

/** The texts of the pages behind the sign-in other than Home. The sign-in pages and Home use none of them. */
export const texts = {
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
} as const
