import { refusalTexts } from '@lode/wire/texts/zh_tw'
import type { texts as en } from './en.ts'
import type { Translated } from './translated.ts'
import { common } from './zh_tw/common.ts'
import { errors } from './zh_tw/errors.ts'
import { explain } from './zh_tw/explain.ts'
import { home } from './zh_tw/home.ts'
import { navigation } from './zh_tw/navigation.ts'
import { notice } from './zh_tw/notice.ts'
import { pledge } from './zh_tw/pledge.ts'
import { profile } from './zh_tw/profile.ts'
import { protection } from './zh_tw/protection.ts'
import { shell } from './zh_tw/shell.ts'
import { signIn } from './zh_tw/sign-in.ts'
import { titles } from './zh_tw/titles.ts'
import { wallet } from './zh_tw/wallet.ts'

export const texts: Translated<typeof en> = {
  common,
  errors,
  explain,
  home,
  navigation,
  notice,
  pledge,
  profile,
  protection,
  shell: { ...shell, titles: { ...shell.titles, ...titles } },
  signIn,
  refusals: refusalTexts,
  wallet,
}
