/** The versions of yt-dlp under the data directory, for the command line. */
export { versionsOf } from "@winnow/adapters/sources/yt-dlp/versions/chooseVersion";
