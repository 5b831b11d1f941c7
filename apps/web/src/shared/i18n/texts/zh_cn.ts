import { refusalTexts } from '@lode/wire/texts/zh_cn'
import type { texts as en } from './en.ts'
import type { Translated } from './translated.ts'
import { common } from './zh_cn/common.ts'
import { errors } from './zh_cn/errors.ts'
import { protection } from './zh_cn/protection.ts'
import { shell } from './zh_cn/shell.ts'
import { signIn } from './zh_cn/sign-in.ts'

export const texts: Translated<typeof en> = {
  common,
  errors,
  protection,
  shell,
  signIn,
  refusals: refusalTexts,
}
