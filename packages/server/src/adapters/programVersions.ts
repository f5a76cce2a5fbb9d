/** The versions of yt-dlp under the data directory, for the command line. */
export { installEnvironment, listEnvironments } from "@winnow/adapters/programs/python/DownloaderEnvironment";
export { lockOfChannel } from "@winnow/adapters/programs/python/Releases";
