import type { files as en } from '../en/files.ts'
import type { Translated } from '../translated.ts'

export const files: Translated<typeof en> = {
  show: '在此顯示',
  shared: '已交給您選擇的 App。',
  download: '已交由瀏覽器下載。找不到檔案？',
  pictureText: '長按圖片即可儲存或傳送。',
  textText: '複製文字，貼到您要保存的地方。',
  picture: '您的邀請：QR Code、邀請碼與連結',
  copy: '複製',
  share: '分享',
  shareFailed: '系統無法分享。',
}
