import { refusalTexts } from '@lode/wire/texts/zh_tw'
import type { texts as en } from './en.ts'
import type { Translated } from './translated.ts'
import { common } from './zh_tw/common.ts'
import { deposit } from './zh_tw/deposit.ts'
import { errors } from './zh_tw/errors.ts'
import { home } from './zh_tw/home.ts'
import { payment } from './zh_tw/payment.ts'
import { profile } from './zh_tw/profile.ts'
import { protection } from './zh_tw/protection.ts'
import { setting } from './zh_tw/setting.ts'
import { shell } from './zh_tw/shell.ts'
import { signIn } from './zh_tw/sign-in.ts'
import { team } from './zh_tw/team.ts'
import { transfer } from './zh_tw/transfer.ts'
import { wallet } from './zh_tw/wallet.ts'

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
