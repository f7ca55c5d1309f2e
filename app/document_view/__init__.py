"""The pages of a document on screen: scrolling, zooming, thumbnails, highlights and notices."""
