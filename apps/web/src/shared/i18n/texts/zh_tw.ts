import { refusalTexts } from '@lode/wire/texts/zh_tw'
import type { texts as en } from './en.ts'
import type { Translated } from './translated.ts'
import { common } from './zh_tw/common.ts'
import { errors } from './zh_tw/errors.ts'
import { protection } from './zh_tw/protection.ts'
import { shell } from './zh_tw/shell.ts'
import { signIn } from './zh_tw/sign-in.ts'

export const texts: Translated<typeof en> = {
  common,
  errors,
  protection,
  shell,
  signIn,
  refusals: refusalTexts,
}
