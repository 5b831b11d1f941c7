import { refusalTexts } from '@lode/wire/texts/zh_cn'
import type { texts as en } from './en.ts'
import type { Translated } from './translated.ts'
import { common } from './zh_cn/common.ts'
import { deposit } from './zh_cn/deposit.ts'
import { errors } from './zh_cn/errors.ts'
import { home } from './zh_cn/home.ts'
import { payment } from './zh_cn/payment.ts'
import { profile } from './zh_cn/profile.ts'
import { protection } from './zh_cn/protection.ts'
import { setting } from './zh_cn/setting.ts'
import { shell } from './zh_cn/shell.ts'
import { signIn } from './zh_cn/sign-in.ts'
import { team } from './zh_cn/team.ts'
import { transfer } from './zh_cn/transfer.ts'
import { wallet } from './zh_cn/wallet.ts'

export const texts: Translated<typeof en> = {
  common,
  deposit,
  errors,
  home,
  payment,
  profile,
  protection,
  setting,
  shell,
  signIn,
  transfer,
  team,
  wallet,
  refusals: refusalTexts,
}
