/**
 * All limits on reading a page, with units and reasons.
 * Tests: ReadBytes.test.ts, PdfStreams.test.ts, PdfPictures.test.ts, the adapters' PageReader.test.ts.
 */

/** Decoded bytes of a page; the largest pages of the public benchmarks stay below 10 MB. */
export const PAGE_BYTES_MAX = 20_000_000;

/**
 * Processor time of one reading in its worker, in milliseconds. A plain page takes tens of milliseconds, a long PDF
 * seconds, a hostile page for ever. Not wall-clock time, so that a busy server reads the same documents.
 */
export const READING_PROCESSOR_MS_MAX = 5_000;

/** Memory of one worker outside its heap: the page's bytes, and what is decompressed from them. */
export const WORKER_BUFFERS_MB = 256;

/** JSON of one reading in bytes: the longest text, also as Markdown, both also by sections. The server parses it in one go. */
export const READING_BYTES_MAX = 64_000_000;

/** Title and uploader in characters; a longer text is not a name. */
export const NAME_CHARS_MAX = 500;

/** Description in characters; the platforms allow 5,000 to 10,000. */
export const DESCRIPTION_CHARS_MAX = 20_000;

/** One URL in characters; longer ones are data, and servers refuse them. */
export const ADDRESS_CHARS_MAX = 4_096;

/** Depth of the element tree; the text of deeper elements goes to their ancestor at the limit. */
export const TREE_DEPTH_MAX = 400;

/** Depth at which parsing ends and only text is read; real pages do not come close. */
export const NESTING_MAX = 5_000;

/** Elements of the tree; the text of further elements goes to the element that contains them. */
export const TREE_ELEMENTS_MAX = 200_000;

/** Attributes of one element; further ones are ignored. */
export const ATTRIBUTES_MAX = 100;

/** Text of a page in characters, twice the longest novels; a page with more is refused, never truncated. */
export const TREE_TEXT_CHARS_MAX = 4_000_000;

/** Scripts and style sheets of a page in characters, including JSON-LD; further ones are ignored. */
export const SCRIPT_CHARS_MAX = 4_000_000;

/** Number of elements above which all text is taken, because the noise filter would take seconds. */
export const FILTER_ELEMENTS_MAX = 50_000;

/** All JSON-LD of a page in characters; real pages have 1,000 to 200,000. */
export const JSON_LD_CHARS_MAX = 2_000_000;

/** Nesting of JSON-LD; real graphs are about 10 levels deep. */
export const JSON_LD_DEPTH_MAX = 40;

/** Maximum JSON-LD objects examined. */
export const JSON_LD_NODES_MAX = 5_000;

/** Links listed of a page or document; an index of a large manual has some thousand. */
export const LISTED_LINKS_MAX = 2_000;

/** Images of a page; a carousel has at most 100 slides on the platforms. */
export const IMAGES_MAX = 200;

/** Video URLs of a page. */
export const VIDEOS_MAX = 50;

/** Subtitle tracks of a page; YouTube offers about 100 translations. */
export const SUBTITLES_MAX = 200;

/** With media and less text than this, a page is not an article. In characters. */
export const ARTICLE_TEXT_CHARS_MIN = 1_500;

/** With more text than this, several og:images are variants of one image rather than slides. In characters. */
export const SLIDES_TEXT_CHARS_MAX = 600;

/** With more text than this, a page is content despite a password field. In characters. */
export const LOGIN_WALL_TEXT_CHARS_MAX = 600;

/** Maximum values examined in a framework's embedded state; real pages have up to some ten thousand. */
export const EMBEDDED_NODES_MAX = 50_000;

/** Pages of a PDF; more would exceed the time limit of a reading. */
export const PDF_PAGES_MAX = 2_000;

/**
 * Links and fields of a PDF after which the annotations of further pages are not read: each costs about a tenth of a
 * millisecond, and long manuals have ten thousand internal links.
 */
export const PDF_ANNOTATIONS_MAX = 2_000;

/**
 * Decompressed size of one PDF stream in bytes: the text of a thousand pages, or one image of 20 megapixels.
 */
export const PDF_STREAM_BYTES_MAX = 64_000_000;

/** Decompressed size of all streams of a PDF in bytes, which takes about a second. */
export const PDF_INFLATED_BYTES_MAX = 256_000_000;

/** Streams of a PDF; long books have some ten thousand. */
export const PDF_STREAMS_MAX = 100_000;

/**
 * Characters that the CMaps of a PDF map by ranges, all together: sixty fonts of all Chinese characters. The library
 * lists each of them.
 */
export const PDF_MAPPED_CHARACTERS_MAX = 4_000_000;

/** Objects that one cross-reference or object stream of a PDF says it has; the largest books have some 100,000. */
export const PDF_OBJECTS_MAX = 2_000_000;

/** Dots per inch of the picture of a scanned page: tesseract reads letters of usual size best so. */
export const SCAN_DOTS_PER_INCH_MAX = 300;

/** Pixels of that picture, of one byte each: a page of A3. Of larger pages, the dots per inch are fewer. */
export const SCAN_PIXELS_MAX = 17_500_000;

/** Pixels of its longer side: tesseract refuses more. */
export const SCAN_SIDE_PIXELS_MAX = 32_767;

/** Text of one microdata property in characters: descriptions, and steps of a recipe. */
export const MICRODATA_TEXT_CHARS_MAX = 20_000;

/** Structured entities of each type on a page; a product list may have some hundred. */
export const STRUCTURED_THINGS_MAX = 20;

/** Values of one list of such an entity: ingredients, steps, images. */
export const STRUCTURED_LIST_MAX = 100;

/** Text of one such value in characters. */
export const STRUCTURED_TEXT_CHARS_MAX = 20_000;

/** Keywords of a page, and characters of one; longer ones are sentences. */
export const TAGS_MAX = 100;
export const TAG_CHARS_MAX = 100;

/** Files of an office document or book; books with one file per picture have some thousand. */
export const ZIP_ENTRIES_MAX = 10_000;

/** Decompressed size of one such file in bytes: the XML of a thousand pages. */
export const ZIP_ENTRY_BYTES_MAX = 32_000_000;

/** Decompressed size of all its files that are read, in bytes. */
export const ZIP_INFLATED_BYTES_MAX = 64_000_000;

/**
 * XML elements of such a file that are not mere formatting: ten pages of a text document have some thousand.
 */
export const XML_ELEMENTS_MAX = 1_000_000;

/** Slides of a presentation. */
export const SLIDES_MAX = 2_000;
