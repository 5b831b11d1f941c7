import { refusalTexts } from '@lode/wire/texts/zh_cn'
import type { texts as en } from './en.ts'
import type { Translated } from './translated.ts'
import { common } from './zh_cn/common.ts'
import { errors } from './zh_cn/errors.ts'
import { explain } from './zh_cn/explain.ts'
import { home } from './zh_cn/home.ts'
import { navigation } from './zh_cn/navigation.ts'
import { notice } from './zh_cn/notice.ts'
import { pledge } from './zh_cn/pledge.ts'
import { profile } from './zh_cn/profile.ts'
import { protection } from './zh_cn/protection.ts'
import { shell } from './zh_cn/shell.ts'
import { signIn } from './zh_cn/sign-in.ts'
import { titles } from './zh_cn/titles.ts'
import { wallet } from './zh_cn/wallet.ts'

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
