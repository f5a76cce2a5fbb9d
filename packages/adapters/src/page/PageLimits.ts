/** Every limit of reading a page, with its unit and reason. */

/** Decoded bytes of a page; the largest pages of the public benchmarks stay below 10 MB. */
export const PAGE_BYTES_MAX = 20_000_000;

/** Time of one reading in its worker. A plain page takes tens of milliseconds, a hostile one for ever. */
export const READING_TIMEOUT_MS = 5_000;

/**
 * Heap of one worker. A net only: running into it can end the whole process, so the limits of the tree
 * below keep every page at less than half of it.
 */
export const WORKER_HEAP_MB = 1_024;

/**
 * Memory of one worker outside of its heap: layers of a PDF are unpacked there, and the limits of its streams
 * do not see what other encodings hide. The bytes of the page and what they may unpack to take less.
 */
export const WORKER_BUFFERS_MB = 384;

/** Readings at once in one process; more would only compete for the processors. */
export const WORKERS_MAX = 2;

/** Title and uploader in characters; what is longer is not a name. */
export const NAME_CHARS_MAX = 500;

/** Description in characters; the platforms end theirs at 5,000 to 10,000. */
export const DESCRIPTION_CHARS_MAX = 20_000;

/** One address in characters; what is longer is data, and servers refuse it. */
export const ADDRESS_CHARS_MAX = 4_096;

/** Depth of the element tree; deeper elements hand their text to the one at the limit. */
export const TREE_DEPTH_MAX = 400;

/** Depth where parsing ends and only text is taken; no real page comes near. */
export const NESTING_MAX = 5_000;

/** Elements of the tree; later elements hand their text to the one they are in. */
export const TREE_ELEMENTS_MAX = 200_000;

/** Attributes of one element; the rest is left out. */
export const ATTRIBUTES_MAX = 100;

/** Text of a page in characters, twice the longest novels; a page with more is refused, never cut. */
export const TREE_TEXT_CHARS_MAX = 4_000_000;

/** Scripts of a page in characters, JSON-LD among them; what comes after is left out. */
export const SCRIPT_CHARS_MAX = 4_000_000;

/** Elements above which all text is taken: the noise filter would cost seconds. */
export const FILTER_ELEMENTS_MAX = 50_000;

/** All JSON-LD of a page in characters; real pages carry 1 to 200 thousand. */
export const JSON_LD_CHARS_MAX = 2_000_000;

/** Nesting of JSON-LD; real graphs are nested about 10 deep. */
export const JSON_LD_DEPTH_MAX = 40;

/** Objects of JSON-LD looked at. */
export const JSON_LD_NODES_MAX = 5_000;

/** Images of a page; a carousel has at most 100 slides on the platforms. */
export const IMAGES_MAX = 200;

/** Video addresses of a page. */
export const VIDEOS_MAX = 50;

/** Subtitle tracks of a page; YouTube offers about 100 translations. */
export const SUBTITLES_MAX = 200;

/** Text below this many characters does not make a page an article when it offers media. */
export const ARTICLE_TEXT_CHARS_MIN = 1_500;

/** Text above this many characters makes several og:images the crops of one page, not its slides. */
export const SLIDES_TEXT_CHARS_MAX = 600;

/** Text above this many characters is content in spite of a password field. */
export const LOGIN_WALL_TEXT_CHARS_MAX = 600;

/** Values of the state that a framework embeds looked at; real pages carry up to some ten thousand. */
export const EMBEDDED_NODES_MAX = 50_000;

/** Pages of a PDF; the time limit of a reading allows for no more. */
export const PDF_PAGES_MAX = 2_000;

/**
 * Links and fields of a PDF, after which no further page is asked for its own: each costs some tenth of a millisecond, and
 * long manuals have ten thousand that lead within them.
 */
export const PDF_ANNOTATIONS_MAX = 2_000;

/** One stream of a PDF unpacked, in bytes: the text of a thousand pages, or one image of 20 megapixels. */
export const PDF_STREAM_BYTES_MAX = 64_000_000;

/** All streams of a PDF unpacked, in bytes, which takes about a second. */
export const PDF_INFLATED_BYTES_MAX = 256_000_000;

/** Streams of a PDF; long books have some ten thousand. */
export const PDF_STREAMS_MAX = 100_000;

/** Text of one property of microdata in characters: descriptions, and steps of a recipe. */
export const MICRODATA_TEXT_CHARS_MAX = 20_000;

/** Things that a page describes to machines, of each type; a list of goods may have some hundred. */
export const STRUCTURED_THINGS_MAX = 20;

/** Values of one list of such a thing: ingredients, steps, images. */
export const STRUCTURED_LIST_MAX = 100;

/** Text of one such value in characters. */
export const STRUCTURED_TEXT_CHARS_MAX = 20_000;

/** Keywords of a page, and the characters of one; what is longer is a sentence. */
export const TAGS_MAX = 100;
export const TAG_CHARS_MAX = 100;

/** Files of an office document or a book; books with a file for each picture have some thousand. */
export const ZIP_ENTRIES_MAX = 10_000;

/** One such file unpacked, in bytes: the XML of a thousand pages. */
export const ZIP_ENTRY_BYTES_MAX = 32_000_000;

/** All files of it that are read, unpacked, in bytes. */
export const ZIP_INFLATED_BYTES_MAX = 64_000_000;

/** Elements of such a file that say something: a text document has some thousand on ten pages. */
export const XML_ELEMENTS_MAX = 1_000_000;

/** Slides of a presentation. */
export const SLIDES_MAX = 2_000;
