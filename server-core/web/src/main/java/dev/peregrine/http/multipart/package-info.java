/**
 * Forms with files, {@code multipart/form-data} (RFC 7578): {@link
 * dev.peregrine.http.multipart.FormData} for a whole form, {@link
 * dev.peregrine.http.multipart.MultipartReader} for one part after the other on a thread that may
 * block, and {@link dev.peregrine.http.multipart.MultipartFlow} for parts as they arrive on the
 * event loop. {@link dev.peregrine.http.multipart.MultipartLimits} bounds all of them.
 */
@NullMarked
package dev.peregrine.http.multipart;

import org.jspecify.annotations.NullMarked;
