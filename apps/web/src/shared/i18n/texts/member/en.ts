import { dao } from '../en/dao.ts'
import { deposit } from '../en/deposit.ts'
import { explain } from '../en/explain.ts'
import { files } from '../en/files.ts'
import { firstRun } from '../en/first-run.ts'
import { help } from '../en/help.ts'
import { home } from '../en/home.ts'
import { income } from '../en/income.ts'
import { navigation } from '../en/navigation.ts'
import { notice } from '../en/notice.ts'
import { order } from '../en/order.ts'
import { payment } from '../en/payment.ts'
import { pledge } from '../en/pledge.ts'
import { profile } from '../en/profile.ts'
import { promotion } from '../en/promotion.ts'
import { records } from '../en/records.ts'
import { rewards } from '../en/rewards.ts'
import { security } from '../en/security.ts'
import { setting } from '../en/setting.ts'
import { share } from '../en/share.ts'
import { statement } from '../en/statement.ts'
import { team } from '../en/team.ts'
import { titles } from '../en/titles.ts'
import { transfer } from '../en/transfer.ts'
import { wallet } from '../en/wallet.ts'
import { wallets } from '../en/wallets.ts'

/** The texts of the pages behind the sign-in. The sign-in pages use none of them. */
export const texts = {
  dao,
  deposit,
  explain,
  files,
  firstRun,
  help,
  home,
  navigation,
  income,
  notice,
  order,
  payment,
  pledge,
  profile,
  promotion,
  records,
  rewards,
  security,
  setting,
  share,
  shell: { titles },
  statement,
  team,
  transfer,
  wallet,
  wallets,
} as const
