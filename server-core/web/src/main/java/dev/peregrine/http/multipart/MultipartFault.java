package dev.peregrine.http.multipart;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;

/** The failures that a client gets for its multipart content. */
final class MultipartFault {
  private MultipartFault() {}

  static HttpException malformed(String what) {
    return new HttpException(HttpStatus.BAD_REQUEST.code(), "multipart content: " + what);
  }

  /** Returns the failure of something that is larger than an option allows. */
  static HttpException tooLarge(String what, long max, String unit, String option) {
    return new HttpException(
        HttpStatus.CONTENT_TOO_LARGE.code(),
        "multipart content: " + what + " of more than " + max + " " + unit + " (" + option + ")");
  }

  static HttpException unsupported(String what) {
    return new HttpException(HttpStatus.UNSUPPORTED_MEDIA_TYPE.code(), what);
  }
}
