@NullMarked
package dev.peregrine.http.files;

import org.jspecify.annotations.NullMarked;
