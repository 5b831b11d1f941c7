import type { setting as en } from '../en/setting.ts'
import type { Translated } from '../translated.ts'

export const setting: Translated<typeof en> = {
  profile: '個人資料',
  address: '錢包地址',
  transfer: '轉出',
  transferText: '轉到您的轉出地址，以及轉出紀錄',
  appearance: '外觀',
  theme: '主題',
  themeSystem: '跟隨系統',
  themePaper: '淺色',
  themeShaft: '深色',
  logout: '登出',
  logoutTitle: '要在此瀏覽器登出嗎？',
  logoutText: '語言和主題會保留。再次進入時，請用錢包登入。',
}
