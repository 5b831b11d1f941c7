import type { Translated } from '../translated.ts'
import { dao } from '../zh_tw/dao.ts'
import { deposit } from '../zh_tw/deposit.ts'
import { explain } from '../zh_tw/explain.ts'
import { files } from '../zh_tw/files.ts'
import { firstRun } from '../zh_tw/first-run.ts'
import { help } from '../zh_tw/help.ts'
import { home } from '../zh_tw/home.ts'
import { income } from '../zh_tw/income.ts'
import { navigation } from '../zh_tw/navigation.ts'
import { notice } from '../zh_tw/notice.ts'
import { order } from '../zh_tw/order.ts'
import { payment } from '../zh_tw/payment.ts'
import { pledge } from '../zh_tw/pledge.ts'
import { profile } from '../zh_tw/profile.ts'
import { promotion } from '../zh_tw/promotion.ts'
import { records } from '../zh_tw/records.ts'
import { rewards } from '../zh_tw/rewards.ts'
import { security } from '../zh_tw/security.ts'
import { setting } from '../zh_tw/setting.ts'
import { share } from '../zh_tw/share.ts'
import { statement } from '../zh_tw/statement.ts'
import { team } from '../zh_tw/team.ts'
import { titles } from '../zh_tw/titles.ts'
import { transfer } from '../zh_tw/transfer.ts'
import { wallet } from '../zh_tw/wallet.ts'
import { wallets } from '../zh_tw/wallets.ts'
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
