"""Federal law as it is published, turned into sections, subsections and sentences.

Here belongs what is true of German statutes and of the gii-norm XML that gesetze-im-internet.de serves: finding a law, reading
it, counting its sentences, finding its references, telling two builds apart. Chunks, vectors and questions do not.
"""
