import type { Translated } from '../translated.ts'
import { dao } from '../zh_cn/dao.ts'
import { deposit } from '../zh_cn/deposit.ts'
import { explain } from '../zh_cn/explain.ts'
import { files } from '../zh_cn/files.ts'
import { firstRun } from '../zh_cn/first-run.ts'
import { help } from '../zh_cn/help.ts'
import { home } from '../zh_cn/home.ts'
import { income } from '../zh_cn/income.ts'
import { navigation } from '../zh_cn/navigation.ts'
import { notice } from '../zh_cn/notice.ts'
import { order } from '../zh_cn/order.ts'
import { payment } from '../zh_cn/payment.ts'
import { pledge } from '../zh_cn/pledge.ts'
import { profile } from '../zh_cn/profile.ts'
import { promotion } from '../zh_cn/promotion.ts'
import { records } from '../zh_cn/records.ts'
import { rewards } from '../zh_cn/rewards.ts'
import { security } from '../zh_cn/security.ts'
import { setting } from '../zh_cn/setting.ts'
import { share } from '../zh_cn/share.ts'
import { statement } from '../zh_cn/statement.ts'
import { team } from '../zh_cn/team.ts'
import { titles } from '../zh_cn/titles.ts'
import { transfer } from '../zh_cn/transfer.ts'
import { wallet } from '../zh_cn/wallet.ts'
import { wallets } from '../zh_cn/wallets.ts'
import type { texts as en } from './en.ts'

export const texts: Translated<typeof en> = {
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
}
